// The search index: a part for each heading, made here so that opening a page costs nothing. It is a script, because a page
// that was opened from a disk may load scripts and no data.
import * as fs from 'node:fs';
import * as path from 'node:path';
import MiniSearch from 'minisearch';

const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&', '&#39;': "'" };
const plain = html => html.replace(/<\/?(a|b|code|em|span|strong)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' ').replace(/&(#x?[0-9a-f]+|\w+);/gi, e => entities[e] ?? ' ').replace(/\s+/g, ' ').trim();

function parts({ url, content }) {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(content)?.[1] ?? '';
  const pieces = main.split(/<h[1-4] id="([^"]*)"[^>]*>([\s\S]*?)<\/h[1-4]>/);
  const page = pieces.length > 2 ? plain(pieces[2]) : url;
  const found = [];
  for (let i = 1; i + 2 < pieces.length; i += 3) {
    const text = plain(pieces[i + 2]);
    found.push({ id: url + '#' + pieces[i], page, heading: plain(pieces[i + 1]), text, begin: text.slice(0, 140) });
  }
  return found;
}

export function writeSearchIndex(pages, out) {
  const index = new MiniSearch({ fields: ['page', 'heading', 'text'], storeFields: ['page', 'heading', 'begin'] });
  for (const page of pages) index.addAll(parts(page));
  fs.writeFileSync(path.join(out, 'assets', 'index.js'), `window.sxIndex = ${JSON.stringify(JSON.stringify(index))};\n`);
}
