// Pages of the memory map and of differences between snapshots, as HTML without scripts: no editor in here.

/** A region of memory as `sxMemoryMap` gives it. */
export interface Region { start: string; size: number; type: string; fragmentation?: number; objectCount?: number }

/** The body of the response to `sxMemoryMap`. */
export interface MemoryMap { regions: Region[]; totalHeapSize: number; timestamp?: number }

/** A row of `sxSnapshotDiff`. */
export interface DiffRow { group: string; count: number; shallow: number; retained: number | string; kept_by?: unknown }

/** Text that HTML shows as it is. */
export function escapeHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
}

/** A number of bytes as a person reads it. */
export function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0, value = Math.abs(n);
  for (; value >= 1024 && i < units.length - 1; ++i) value /= 1024;
  const digits = i === 0 || value >= 100 ? 0 : 1;
  return `${n < 0 ? '−' : ''}${value.toFixed(digits)} ${units[i]}`;
}

const STYLE = `
body { font: var(--vscode-font-size, 13px) var(--vscode-font-family, sans-serif); color: var(--vscode-foreground); padding: 0 12px 12px; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: 8px 0; }
th { text-align: left; font-weight: 600; border-bottom: 1px solid var(--vscode-panel-border, #888); }
th, td { padding: 3px 10px 3px 0; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font-family: var(--vscode-editor-font-family, monospace); }
.bar { height: 14px; border: 1px solid var(--vscode-foreground); min-width: 1px; box-sizing: border-box; }
.heap { background: #3794ff; } .arena { background: repeating-linear-gradient(45deg, #89d185, #89d185 4px, transparent 4px, transparent 7px); }
.stack { background: repeating-linear-gradient(0deg, #cca700, #cca700 3px, transparent 3px, transparent 6px); }
.global { background: #b180d7; } .jit { background: repeating-linear-gradient(90deg, #f14c4c, #f14c4c 2px, transparent 2px, transparent 5px); }
.other { background: #888; }`;

function page(title: string, body: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body>${body}</body></html>`;
}

/** The memory map: a row a region, in order of address, with a bar as long as its size, logarithmically. */
export function memoryPage(map: MemoryMap): string {
  const regions = [...map.regions].sort((a, b) => (BigInt(a.start) < BigInt(b.start) ? -1 : 1));
  const most = Math.log2(Math.max(2, ...regions.map(r => r.size)));
  const known = ['heap', 'arena', 'stack', 'global', 'jit'];
  const rows = regions.map(r => {
    const share = Math.max(1, Math.round(100 * Math.log2(Math.max(1, r.size)) / most));
    const percent = r.fragmentation ? `${Math.round(r.fragmentation * 100)} %` : '';
    return `<tr><td><code>${escapeHtml(r.start)}</code></td><td>${escapeHtml(r.type)}</td><td class="n">${bytes(r.size)}</td>
<td class="n">${r.objectCount ?? ''}</td><td class="n">${percent}</td>
<td style="width:40%"><div class="bar ${known.includes(r.type) ? r.type : 'other'}" style="width:${share}%"></div></td></tr>`;
  });
  return page('Memory map', `<table><caption>${regions.length} regions, ${bytes(map.totalHeapSize)} of heap. Bars grow with the logarithm of the size.</caption>
<tr><th>start</th><th>kind</th><th class="n">size</th><th class="n">objects</th><th class="n">fragmented</th><th></th></tr>${rows.join('\n')}</table>`);
}

/** What has changed between two snapshots, the most retained first. */
export function diffPage(from: string, to: string, rows: DiffRow[]): string {
  const size = (n: number | string) => typeof n === 'number' ? (n > 0 ? '+' : '') + bytes(n) : escapeHtml(n);
  const weight = (r: DiffRow) => typeof r.retained === 'number' ? r.retained : r.shallow;
  const text = (kept: unknown) => Array.isArray(kept) ? kept.map(k => typeof k === 'object' ? JSON.stringify(k) : k).join(', ')
                                  : typeof kept === 'object' && kept ? JSON.stringify(kept) : kept ?? '';
  const lines = [...rows].sort((a, b) => weight(b) - weight(a)).map(r =>
    `<tr><td><code>${escapeHtml(r.group)}</code></td><td class="n">${r.count > 0 ? '+' : ''}${r.count}</td><td class="n">${size(r.shallow)}</td>
<td class="n">${size(r.retained)}</td><td>${escapeHtml(text(r.kept_by))}</td></tr>`);
  return page('Snapshots', `<table><caption>From ${escapeHtml(from)} to ${escapeHtml(to)}</caption>
<tr><th>type</th><th class="n">objects</th><th class="n">shallow</th><th class="n">retained</th><th>kept by</th></tr>${lines.join('\n')}</table>`);
}

/** The page of `sx graph --html` as a web view shows it: it begins at an object, if one is given. */
export function focusedPage(html: string, object: number | undefined): string {
  if (object === undefined) return html;
  const script = `<script>location.hash = "#object=${Math.trunc(object)}";</script>`;
  return /<head[^>]*>/i.test(html) ? html.replace(/<head[^>]*>/i, head => head + script) : script + html;
}

/** The id of the heap object that a row of the variables view shows, by the ` #n` at the end of its value. */
export function objectId(value: string | undefined): number | undefined {
  const match = /(?:^| )#(\d+)$/.exec(value ?? '');
  return match ? Number(match[1]) : undefined;
}
