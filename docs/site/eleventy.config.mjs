// The site of docs/: every page of Markdown becomes one of HTML beside it, with links that work in a folder on a disk as well as on a server.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { createHighlighter } from 'shiki';
import { pages } from './pages.mjs';
import { externalFile, headings, relativeLinks, scrollingTables } from './markdown.mjs';
import { writeSearchIndex } from './search.mjs';

const themes = { light: 'github-light', dark: 'github-dark' };
const languages = ['c', 'cpp', 'json', 'lua', 'sh', 'shellsession', 'elisp'];

async function highlighter() {
  const grammar = JSON.parse(fs.readFileSync('../editors/vscode/syntaxes/sx.tmLanguage.json', 'utf8'));
  const shiki = await createHighlighter({ themes: Object.values(themes), langs: [...languages, { ...grammar, name: 'sx' }] });
  const known = new Set(shiki.getLoadedLanguages());
  return (code, lang, info) => {
    const name = lang === 'console' ? 'shellsession' : known.has(lang) ? lang : 'text';
    const title = info?.includes('.') ? `<p class="file">${info}</p>` : '';
    return title + shiki.codeToHtml(code.replace(/\n$/, ''), { lang: name, themes, defaultColor: 'light' });
  };
}

/** Fences are what the highlighter makes of them, without a wrapper. */
function fences(md, highlight) {
  md.renderer.rules.fence = (tokens, i) => {
    const [lang, ...rest] = tokens[i].info.trim().split(/\s+/);
    return highlight(tokens[i].content, lang, rest.join(' '));
  };
}

export default async function (config) {
  const all = pages('.');
  const highlight = await highlighter();
  config.setUseGitIgnore(false);
  config.ignores.add('site/**');
  config.setTemplateFormats(['md']);
  config.addGlobalData('layout', 'page.njk');
  config.addGlobalData('pages', all);
  config.addGlobalData('permalink', () => data => all.outputOf(data.page.inputPath));
  config.addFilter('relativeTo', (url, from) => path.posix.relative(path.posix.dirname(from), url));
  config.addFilter('titleOf', inputPath => all.titleOf(inputPath));
  config.amendLibrary('md', md => {
    md.set({ html: true, linkify: false });
    [headings, scrollingTables].forEach(rule => md.use(rule));
    md.use(relativeLinks, all);
    fences(md, highlight);
  });
  config.addPassthroughCopy('images');
  config.addPassthroughCopy('trace.schema.json');
  config.addPassthroughCopy({ 'site/assets': 'assets', 'site/node_modules/minisearch/dist/umd/index.js': 'assets/minisearch.js' });
  config.on('eleventy.after', ({ directories, results }) => {
    for (const file of externalFile.used) {
      const to = path.join(directories.output, externalFile.outputOf(file));
      fs.mkdirSync(path.dirname(to), { recursive: true });
      fs.copyFileSync(path.join('..', file), to);
    }
    writeSearchIndex(results.map(({ inputPath, content }) => ({ url: all.outputOf(inputPath), content })), directories.output);
  });
  return { dir: { includes: 'site/layouts' }, markdownTemplateEngine: false };
}
