// Makes the site. usage: node build.mjs OUT
import Eleventy from '@11ty/eleventy';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const [out] = process.argv.slice(2);
if (!out) throw new Error('usage: node build.mjs OUT');
const to = path.resolve(out);
fs.mkdirSync(to, { recursive: true });
process.chdir(docs); // the generator's paths are relative to the current folder
const site = new Eleventy('.', path.relative(docs, to), { quietMode: true, configPath: 'site/eleventy.config.mjs' });
await site.write();
