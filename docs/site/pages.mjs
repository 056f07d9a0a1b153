// Which pages there are, in which order, under which titles.
import * as fs from 'node:fs';
import * as path from 'node:path';

const groups = [
  { title: 'Guide', folder: 'guide' },
  { title: 'Reference', folder: 'reference' },
  { title: 'Library', folder: 'library' },
];

/** Where a page of Markdown is in the site: `a/README.md` is `a/index.html`. */
const outputOf = file => path.posix.normalize(file).replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');

const titleOf = file => /^# (.*)$/m.exec(fs.readFileSync(file, 'utf8'))?.[1].replaceAll('`', '') ?? path.basename(file, '.md');

function listed(folder) {
  const names = fs.readdirSync(folder).filter(name => name.endsWith('.md')).sort();
  const order = [...names.filter(name => name === 'README.md'), ...names.filter(name => name !== 'README.md')];
  return order.map(name => path.posix.join(folder, name)).map(file => ({ file, url: outputOf(file), title: titleOf(file) }));
}

/** The pages below the current folder. */
export function pages() {
  const rest = listed('.').filter(page => page.url !== 'index.html').sort((a, b) => a.title.localeCompare(b.title, 'en'));
  return {
    groups: [...groups.map(({ title, folder }) => ({ title, folder, pages: listed(folder) })), { title: 'Pages', folder: '.', pages: rest }],
    outputOf, titleOf,
  };
}
