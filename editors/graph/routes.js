// Where the lines between boxes run: in the gutters between columns and the gaps between rows, never through a box.
// All lines out of one side of a box are branches of one tree; no two trees have a piece in common, they only cross.
'use strict';
/// lines: `{ key, from, to }`, from and to are keys of cells, `{ column, row }`, of which no two are the same.
/// grid: `across`, `down`: from the middle of a cell to that of the next; `width`, `height` of boxes; `strip`: what is kept
/// free above each box. The result has for each key the corners of its line, as [x, y], from one box's border to the other's.
function routeLines(lines, cells, grid) {
  const halfWide = grid.width / 2, halfHigh = grid.height / 2;
  // Gutter g is left of column g, gap r above row r.
  const gutterFrom = (g) => (g - 1) * grid.across + halfWide, gapFrom = (r) => (r - 1) * grid.down + halfHigh;
  const gutterSize = grid.across - grid.width, gapSize = grid.down - grid.height - grid.strip;
  const at = (map, key, make) => { if (!map.has(key)) map.set(key, make()); return map.get(key); };
  const mean = (numbers) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

  // A tree has what leaves its box on the right: what is further right, or below it in its column; another one the rest.
  const trees = new Map();
  for (const { key, from, to } of lines) {
    const a = cells.get(from), b = cells.get(to);
    const right = b.column > a.column || b.column === a.column && b.row > a.row;
    const tree = at(trees, from + (right ? '>' : '<'), () => ({ box: a, right, gutter: a.column + (right ? 1 : 0), ends: [] }));
    const entersRight = right ? b.column === a.column : b.column !== a.column;
    tree.ends.push({ key, box: b, entersRight, gutter: b.column + (entersRight ? 1 : 0) });
  }

  // Along the sides of the two boxes at a gutter each tree has a height of its own.
  const heights = new Map(), heightOf = (tree, gutter, row) => heights.get(gutter + ',' + row).get(tree);
  for (const tree of trees.values()) {
    tree.mean = mean(tree.ends.map((e) => e.box.row));
    for (const [gutter, row] of [[tree.gutter, tree.box.row], ...tree.ends.map((e) => [e.gutter, e.box.row])])
      at(heights, gutter + ',' + row, () => new Map()).set(tree, 0);
  }
  for (const [place, of] of heights) {
    const row = Number(place.split(',')[1]), towards = (tree) => tree.box.row === row ? tree.mean : tree.box.row;
    const sorted = [...of.keys()].sort((s, t) => towards(s) - towards(t));
    sorted.forEach((tree, k) => of.set(tree, row * grid.down + (grid.height - 12) * ((k + 1) / (sorted.length + 1) - 0.5)));
  }

  // Pieces that would meet on one track of a gutter or a gap get different ones.
  function tracks(pieces, from, size, margin, apart) {
    const ends = [];
    for (const piece of pieces.sort((p, q) => p.low - q.low)) {
      piece.track = ends.findIndex((end) => end + apart < piece.low);
      if (piece.track < 0) piece.track = ends.push(0) - 1;
      ends[piece.track] = piece.high;
    }
    for (const piece of pieces) piece.place = from + margin + (size - 2 * margin) * (piece.track + 1) / (ends.length + 1);
  }
  const gaps = new Map(), gutters = new Map();
  for (const tree of trees.values()) {
    const far = tree.ends.filter((e) => e.gutter !== tree.gutter).map((e) => e.gutter);
    if (far.length === 0) continue;
    tree.gapRow = tree.mean > tree.box.row ? tree.box.row + 1 : tree.box.row;
    tree.gap = { low: Math.min(tree.gutter, ...far), high: Math.max(tree.gutter, ...far) };
    at(gaps, tree.gapRow, () => []).push(tree.gap);
  }
  for (const [row, pieces] of gaps) tracks(pieces, gapFrom(row), gapSize, 0, 0);
  for (const tree of trees.values()) {
    tree.trunks = new Map();
    const reach = (gutter, y) => {
      const piece = at(tree.trunks, gutter, () => ({ low: Infinity, high: -Infinity }));
      piece.low = Math.min(piece.low, y), piece.high = Math.max(piece.high, y);
    };
    reach(tree.gutter, heightOf(tree, tree.gutter, tree.box.row));
    for (const e of tree.ends) {
      reach(e.gutter, heightOf(tree, e.gutter, e.box.row));
      if (tree.gap) reach(e.gutter, tree.gap.place), reach(tree.gutter, tree.gap.place);
    }
    for (const [gutter, piece] of tree.trunks) at(gutters, gutter, () => []).push(piece);
  }
  for (const [gutter, pieces] of gutters) tracks(pieces, gutterFrom(gutter), gutterSize, 12, 6);

  const corners = new Map();
  for (const tree of trees.values()) {
    const side = (box, right) => box.column * grid.across + (right ? halfWide : -halfWide);
    for (const e of tree.ends) {
      const y = heightOf(tree, tree.gutter, tree.box.row), end = heightOf(tree, e.gutter, e.box.row);
      const points = [[side(tree.box, tree.right), y], [tree.trunks.get(tree.gutter).place, y]];
      if (e.gutter !== tree.gutter)
        points.push([points[1][0], tree.gap.place], [tree.trunks.get(e.gutter).place, tree.gap.place]);
      points.push([tree.trunks.get(e.gutter).place, end], [side(e.box, e.entersRight), end]);
      corners.set(e.key, points.filter((p, k) => k === 0 || k === points.length - 1 ||
        !(p[1] === points[k - 1][1] && p[1] === points[k + 1][1]))); // no corner where it goes straight on
    }
  }
  return corners;
}
