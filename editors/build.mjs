// Bundles the extension and the tests, and packages the extension. Without network use.
//
// usage: node build.mjs OUT [extension] [vsix] [test FILE.ts…]
//   extension: OUT/vscode, a folder that the editor can load, and vsix: OUT/sx.vsix, the same packed
//   test: OUT/tests/NAME.cjs for each file
import * as esbuild from 'esbuild';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const [out, ...goals] = process.argv.slice(2);
if (!out) throw new Error('usage: node build.mjs OUT [extension] [vsix] [test FILE.ts…]');

const options = {
  bundle: true, platform: 'node', target: 'node18', format: 'cjs', conditions: ['source'], logLevel: 'warning',
  nodePaths: [path.join(here, 'node_modules')], absWorkingDir: here,
};

async function extension() {
  const to = path.join(out, 'vscode'), from = path.join(here, 'vscode');
  fs.rmSync(to, { recursive: true, force: true });
  fs.mkdirSync(to, { recursive: true });
  const files = ['README.md', 'language-configuration.json', 'syntaxes', 'snippets'];
  for (const name of files) fs.cpSync(path.join(from, name), path.join(to, name), { recursive: true });
  fs.copyFileSync(path.join(here, '..', 'LICENSE'), path.join(to, 'LICENSE'));
  const manifest = JSON.parse(fs.readFileSync(path.join(from, 'package.json'), 'utf8'));
  for (const key of ['dependencies', 'devDependencies', 'scripts', 'private']) delete manifest[key]; // all is in the bundle
  fs.writeFileSync(path.join(to, 'package.json'), JSON.stringify(manifest, null, 2));
  await esbuild.build({ ...options, entryPoints: [path.join(from, 'src', 'extension.ts')], external: ['vscode'],
                        minify: true, outfile: path.join(to, 'dist', 'extension.js') });
}

function vsix() {
  const vsce = path.join(here, 'node_modules', '@vscode', 'vsce', 'vsce');
  execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--out',
                                  path.resolve(out, 'sx.vsix')], { cwd: path.join(out, 'vscode'), stdio: ['ignore', 'pipe', 'inherit'] });
  console.log(path.resolve(out, 'sx.vsix'));
}

function tests(files) {
  return esbuild.build({ ...options, entryPoints: files.map(f => path.resolve(f)), outdir: path.join(out, 'tests'),
                         entryNames: '[name]', outExtension: { '.js': '.cjs' }, sourcemap: 'inline',
                         alias: { vscode: path.join(here, 'vscode', 'test', 'stub', 'vscode.ts') },
                         external: ['vscode-oniguruma'] }); // it finds its .wasm beside itself
}

const test = goals.indexOf('test');
const [kinds, files] = test < 0 ? [goals, []] : [goals.slice(0, test), goals.slice(test + 1)];
if (kinds.includes('extension') || kinds.includes('vsix')) await extension();
if (kinds.includes('vsix')) vsix();
if (files.length) await tests(files);
