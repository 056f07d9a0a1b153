// What the pages' Markdown becomes, beyond the standard.
import * as path from 'node:path';

/** Files of the project that pages link to: they are copied beside the pages, as texts that a browser shows. */
export const externalFile = {
  used: new Set(),
  outputOf: file => path.posix.join('files', file + '.txt'),
};

/** Headings have the anchors that links in Markdown expect: the words in small letters, joined by `-`. */
export function headings(md) {
  md.core.ruler.push('heading_ids', state => {
    const seen = new Map();
    state.tokens.forEach((token, i) => {
      if (token.type !== 'heading_open') return;
      const text = state.tokens[i + 1].children.map(child => child.content).join('');
      const slug = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      token.attrSet('id', count ? `${slug}-${count}` : slug);
    });
  });
}

/** Tables scroll by themselves where the screen is narrow. */
export function scrollingTables(md) {
  md.renderer.rules.table_open = () => '<div class="wide"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
}

/** A link to a page is one to the page's HTML. */
export function relativeLinks(md, pages) {
  const follow = (href, env) => {
    if (/^([a-z]+:|#|\/\/)/i.test(href)) return href;
    const [file, anchor] = href.split('#', 2);
    const here = path.posix.dirname(path.posix.normalize(env.page.inputPath));
    const target = path.posix.normalize(path.posix.join(here, file));
    const from = path.posix.dirname(pages.outputOf(env.page.inputPath));
    let to = target.endsWith('.md') ? pages.outputOf(target) : target;
    if (target.startsWith('../')) {
      externalFile.used.add(target.slice(3));
      to = externalFile.outputOf(target.slice(3));
    }
    return path.posix.relative(from, to) + (anchor ? '#' + anchor : '');
  };
  const plain = md.renderer.rules.link_open ?? ((tokens, i, options, env, self) => self.renderToken(tokens, i, options));
  md.renderer.rules.link_open = (tokens, i, options, env, self) => {
    tokens[i].attrSet('href', follow(tokens[i].attrGet('href'), env));
    return plain(tokens, i, options, env, self);
  };
}
