// The view of a heap: a few objects of it in columns, which open to what they refer to. An object keeps its place while
// others come and go; places are cells of a grid, so that no two boxes and no two labels meet. Lines: routes.js.
'use strict';
(function () {
  const heap = JSON.parse(document.getElementById('heap').textContent);
  const text = (n) => heap.texts[n];
  const nodes = heap.nodes.map((n, i) => ({
    i, id: n[0], type: text(n[1]) || '?', kind: text(n[2]), shallow: n[3], retained: n[4] < 0 ? null : n[4],
    site: n[5] < 0 ? null : heap.sites[n[5]], owner: text(n[6]), provenance: text(n[7]), validity: text(n[8]),
    parent: n[9], out: [], into: [], roots: []
  }));
  for (const [from, to, kind, label, index] of heap.edges) {
    const e = { from, to, kind: text(kind), label: index < 0 ? text(label) : `[${index}]` + text(label) };
    nodes[from].out.push(e);
    nodes[to].into.push(e);
  }
  for (const [to, name, label, kind, guess] of heap.roots)
    nodes[to].roots.push({ name: text(name), label: text(label), kind: text(kind), guess: guess !== 0 });
  const bySize = nodes.slice().sort((a, b) => (b.retained ?? -1) - (a.retained ?? -1) || b.shallow - a.shallow || a.i - b.i);

  // ---- words

  const number = (n) => n.toString().replace(/\B(?=(\d{3})+$)/g, ' ');
  const siteText = (s) => s ? `${s.func ? s.func + ' at ' : ''}${s.file.split('/').pop()}:${s.line}${s.col ? ':' + s.col : ''}` : 'not known';
  const brush = document.createElement('canvas').getContext('2d');
  /// As much of a text as there is room for in a box.
  function cut(s, size = FontSize) {
    brush.font = `${size}px Helvetica Neue, Helvetica, sans-serif`;
    const fits = (length) => brush.measureText(length < s.length ? s.slice(0, length) + '…' : s).width <= Width - 10;
    let length = Math.min(s.length, 100);
    while (!fits(length)) length--;
    return length < s.length ? s.slice(0, length) + '…' : s;
  }
  const nameOf = (n) => `${n.type} #${n.id}`;
  const marks = (n) => [n.roots.length ? (n.roots.every((r) => r.guess) ? 'root?' : 'root') : '',
    n.out.some((e) => e.to === n.i) ? 'refers to itself' : '',
    n.retained === null ? 'unreached' : '', n.validity === 'live' ? '' : n.validity,
    n.provenance === 'heap' ? '' : n.provenance, pins.has(n.i) ? 'pinned' : ''].filter(Boolean).join(', ');
  const boxText = (n) => cut(nameOf(n)) + '\n' +
    (n.retained === null || n.retained === n.shallow ? `${number(n.shallow)} B` : `${number(n.shallow)} of ${number(n.retained)} B`) +
    '\n' + cut(marks(n));

  // ---- places

  const Width = 190, Height = 48, Across = 270, Down = 78, Strip = 14, Most = 12;
  const FontSize = 12, WordSize = 11, LeastText = 9; // pixels: no view begins with smaller text
  const pins = new Set(), cells = new Map(), taken = new Set();
  function place(key, column, row) {
    if (cells.has(key)) return cells.get(key);
    let best = row;
    for (let d = 0; taken.has(column + ',' + best); d = d > 0 ? -d : 1 - d) best = row + (d > 0 ? -d : 1 - d);
    const cell = { column, row: best };
    taken.add(column + ',' + best);
    cells.set(key, cell);
    return cell;
  }
  function leave(key) {
    const cell = cells.get(key);
    if (cell) taken.delete(cell.column + ',' + cell.row);
    cells.delete(key);
  }
  const position = (cell) => ({ x: cell.column * Across, y: cell.row * Down });

  // ---- the graph

  function colour(name) { // a colour of the page's style, in a form that the graph understands
    brush.fillStyle = getComputedStyle(document.body).getPropertyValue(name).trim();
    return brush.fillStyle;
  }
  /// Between two colours; it covers what is below it.
  function between(back, front, part) {
    brush.globalAlpha = 1, brush.fillStyle = back, brush.fillRect(0, 0, 1, 1);
    brush.globalAlpha = part, brush.fillStyle = front, brush.fillRect(0, 0, 1, 1);
    brush.globalAlpha = 1;
    return `rgb(${[...brush.getImageData(0, 0, 1, 1).data].slice(0, 3).join()})`;
  }
  const ink = colour('--fore'), paper = colour('--soft'), blue = colour('--mark'), grey = between(colour('--back'), ink, 0.5);
  const cy = cytoscape({
    container: document.getElementById('graph'), wheelSensitivity: 0.3, autoungrabify: false, boxSelectionEnabled: false,
    layout: { name: 'preset' },
    style: [
      { selector: 'node', style: { shape: 'round-rectangle', width: Width, height: Height, label: 'data(label)', color: ink,
        'background-color': paper, 'border-width': 1, 'border-color': ink, 'text-wrap': 'wrap', 'text-valign': 'center',
        'font-size': FontSize, 'text-max-width': Width - 10 } },
      { selector: 'node[kind = "array"], node[kind = "bytes"]', style: { shape: 'rectangle' } },
      { selector: 'node[kind = "closure"]', style: { shape: 'cut-rectangle' } },
      { selector: 'node[kind = "unknown"]', style: { shape: 'barrel', 'border-style': 'dashed' } },
      { selector: 'node[kind = "chunk"]', style: { 'border-style': 'double', 'border-width': 4 } },
      { selector: 'node[?root]', style: { 'border-width': 3 } },
      { selector: 'node[?bad]', style: { shape: 'octagon', 'border-color': '#c33', 'border-width': 3 } },
      { selector: 'node.many', style: { shape: 'round-tag', 'border-style': 'dotted', 'font-style': 'italic' } },
      { selector: 'node.filtered', style: { display: 'none' } },
      { selector: 'node:selected', style: { 'border-color': blue, 'border-width': 4 } },
      { selector: 'node.word', style: { width: 1, height: 1, 'background-opacity': 0, 'border-width': 0, color: blue, events: 'no',
        'font-size': WordSize } },
      { selector: 'edge', style: { width: 1, 'line-color': grey, 'target-arrow-color': grey, 'target-arrow-shape': 'vee',
        'arrow-scale': 0.8, 'curve-style': 'round-segments', 'segment-radii': 5, 'edge-distances': 'node-position' } },
      { selector: 'edge[?owns]', style: { width: 2.5, 'line-color': ink, 'target-arrow-color': ink, 'z-index': 1 } },
      { selector: 'edge[count > 1]', style: { 'line-style': 'dashed' } },
      { selector: 'edge.near', style: { 'line-color': blue, 'target-arrow-color': blue, 'z-index': 2 } },
      { selector: 'edge.moving', style: { display: 'none' } },
    ]
  });
  const shown = new Map(); // by number: what opened it
  const opened = new Set();
  const keyOf = (i) => 'n' + i;

  function dataOf(n) {
    return { id: keyOf(n.i), label: boxText(n), kind: n.kind, root: n.roots.length > 0 ? 1 : 0, bad: n.validity !== 'live' ? 1 : 0 };
  }
  /// Edges of one direction between two objects are one line, which says how many they are.
  function connect(n) {
    const lines = new Map();
    const add = (from, to, e) => {
      if (from === to || !shown.has(from) || !shown.has(to)) return; // the box says that it refers to itself
      const key = `e${from}-${to}`;
      if (!lines.has(key)) lines.set(key, { from, to, labels: [] });
      lines.get(key).labels.push(e.label || e.kind);
    };
    for (const e of n.out) add(n.i, e.to, e);
    for (const e of n.into) if (e.from !== n.i) add(e.from, n.i, e);
    for (const [key, line] of lines) {
      if (cy.getElementById(key).length) continue;
      const count = line.labels.length;
      cy.add({ group: 'edges', data: { id: key, source: keyOf(line.from), target: keyOf(line.to), count,
        label: line.labels[0] + (count > 1 ? ` (${count})` : ''), owns: nodes[line.to].parent === line.from ? 1 : 0 } });
    }
  }
  /// The lines between what is shown now. The graph wants corners relative to the middles of the boxes at both ends.
  function route() {
    const lines = cy.edges().map((e) => ({ key: e.id(), from: e.data('source'), to: e.data('target') }));
    const corners = routeLines(lines, cells, { across: Across, down: Down, width: Width, height: Height, strip: Strip });
    cy.batch(() => cy.edges().forEach((e) => {
      const from = position(cells.get(e.data('source'))), to = position(cells.get(e.data('target')));
      const points = corners.get(e.id()), first = points[0], last = points[points.length - 1];
      const dx = to.x - from.x, dy = to.y - from.y, far = Math.hypot(dx, dy), inner = points.slice(1, -1);
      const end = (p, of) => `${p[0] - of.x}px ${p[1] - of.y}px`;
      e.style({ 'source-endpoint': end(first, from), 'target-endpoint': end(last, to),
        'curve-style': inner.length ? 'round-segments' : 'straight' });
      if (inner.length) e.style({ // parts of the way between the middles, and how far to its side
        'segment-weights': inner.map((p) => ((p[0] - from.x) * dx + (p[1] - from.y) * dy) / far / far).join(' '),
        'segment-distances': inner.map((p) => ((p[1] - from.y) * dx - (p[0] - from.x) * dy) / far).join(' ') });
    }));
  }
  /// What refers to what, above the boxes around the selected one: each has one line of text, where no line runs.
  function tell() {
    cy.remove('node.word');
    cy.edges().removeClass('near');
    const at = cy.$('node:selected').first(), words = new Map();
    const add = (key, sign, label) => words.set(key, (words.has(key) ? words.get(key) + '  ' : '') + sign + ' ' + label);
    at.connectedEdges().addClass('near').forEach((e) => {
      const isOut = e.data('source') === at.id();
      if (e.data('label')) add(e.data(isOut ? 'target' : 'source'), isOut ? '→' : '←', e.data('label'));
    });
    const own = at.length && at.id()[0] === 'n' ? nodes[Number(at.id().slice(1))] : null;
    for (const e of own ? own.out : []) if (e.to === own.i) add(at.id(), '↻', e.label || e.kind);
    for (const [key, label] of words) {
      if (cy.getElementById(key).hasClass('filtered')) continue;
      const middle = position(cells.get(key));
      cy.add({ group: 'nodes', classes: 'word', selectable: false, grabbable: false, data: { id: 'w' + key, label: cut(label, WordSize) },
        position: { x: middle.x, y: middle.y - Height / 2 - Strip / 2 } });
    }
  }
  function show(i, column, row, by) {
    if (shown.has(i)) return;
    shown.set(i, by);
    cy.add({ group: 'nodes', data: dataOf(nodes[i]), position: position(place(keyOf(i), column, row)),
      classes: isOfKind(nodes[i]) ? '' : 'filtered' });
    connect(nodes[i]);
  }
  function hide(i) {
    if (!shown.has(i) || pins.has(i)) return;
    close(i);
    shown.delete(i);
    leave(keyOf(i));
    cy.getElementById(keyOf(i)).remove();
  }
  /// What is many is one box for each type, which opens the next ones.
  function open(i, both = document.getElementById('referrers').checked) {
    opened.add(i);
    const cell = cells.get(keyOf(i)), around = [];
    for (const e of nodes[i].out) if (e.to !== i && !around.some((a) => a.i === e.to)) around.push({ i: e.to, column: 1 });
    if (both)
      for (const e of nodes[i].into) if (e.from !== i && !around.some((a) => a.i === e.from)) around.push({ i: e.from, column: -1 });
    const wanted = around.filter((a) => !shown.has(a.i)).sort((a, b) => (nodes[b.i].retained ?? 0) - (nodes[a.i].retained ?? 0));
    cy.batch(() => {
      wanted.slice(0, Most).forEach((a, k) => show(a.i, cell.column + a.column, cell.row + k - Math.floor(Math.min(Most, wanted.length) / 2), i));
      const rest = wanted.slice(Most), key = 'm' + i;
      cy.getElementById(key).remove();
      leave(key);
      if (rest.length === 0) return;
      const types = new Set(rest.map((a) => nodes[a.i].type));
      const size = rest.reduce((sum, a) => sum + nodes[a.i].shallow, 0);
      cy.add({ group: 'nodes', classes: 'many', position: position(place(key, cell.column + 1, cell.row + Most)),
        data: { id: key, of: i, kind: '', label: `${number(rest.length)} more\n${number(size)} B\n${cut([...types].join(', '))}` } });
      cy.add({ group: 'edges', data: { id: 'x' + i, source: keyOf(i), target: key, count: rest.length, label: '' } });
    });
    say();
  }
  function close(i) {
    if (!opened.delete(i)) return;
    for (const [other, by] of [...shown]) if (by === i) hide(other);
    cy.getElementById('m' + i).remove();
    leave('m' + i);
  }
  function clear() {
    cy.elements().remove();
    shown.clear(), opened.clear(), pins.clear(), cells.clear(), taken.clear();
    isChosen = false;
    cy.viewport({ zoom: 1, pan: { x: cy.width() / 2, y: cy.height() / 2 } });
    say();
  }
  /// The first is the largest. Columns are as high as the view is with the least text.
  function start(list) {
    cy.resize();
    const fitting = Math.floor((cy.height() - 2 * Margin) * FontSize / LeastText / Down);
    const rows = Math.max(Math.ceil(Math.sqrt(list.length)), Math.min(fitting, list.length), 1);
    cy.batch(() => list.forEach((n, k) => show(n.i, Math.floor(k / rows), k % rows, -1)));
    say();
    overview();
  }
  const Margin = 30;
  const visible = () => cy.nodes().not('.filtered, .word');
  const withLines = () => visible().union(visible().edgesWith(visible()));
  /// All of it, however small.
  function fit() {
    cy.resize();
    if (visible().length) cy.fit(withLines(), Margin);
    if (cy.zoom() > 1.2) cy.zoom({ level: 1.2, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
  }
  /// All of it, or as much as can be read: around the selected object or else the largest, and no empty space beside it.
  function overview() {
    fit();
    if (!visible().length || cy.zoom() * FontSize >= LeastText) return;
    const zoom = LeastText / FontSize, all = withLines().boundingBox();
    const first = visible().filter((b) => b.id()[0] === 'n').min((b) => rank(Number(b.id().slice(1))));
    const at = (cy.$('node:selected').not('.filtered').first().position() ?? first.ele?.position()) || { x: all.x1, y: all.y1 };
    const along = (middle, from, to, size) => (to - from) * zoom + 2 * Margin <= size ? (size - (from + to) * zoom) / 2
      : Math.min(Margin - from * zoom, Math.max(size - Margin - to * zoom, size / 2 - middle * zoom));
    cy.viewport({ zoom, pan: { x: along(at.x, all.x1, all.x2, cy.width()), y: along(at.y, all.y1, all.y2, cy.height()) } });
  }
  const rank = (i) => -(nodes[i].retained ?? -1);
  // The page may get its size late, or another one: all is shown again, unless someone has chosen what to look at.
  let isChosen = false;
  cy.on('scrollzoom dragpan pinchzoom dragfree', () => { isChosen = true; });
  new ResizeObserver(() => { if (isChosen) cy.resize(); else overview(); }).observe(document.getElementById('graph'));
  /// An object, wherever it was asked for: it is put on the graph and becomes the selected one.
  function go(i) {
    if (!shown.has(i)) {
      const at = selected();
      const cell = at !== null && cells.get(keyOf(at));
      show(i, cell ? cell.column + 1 : 0, cell ? cell.row : 0, -1);
      route();
    }
    select(i);
    const box = cy.getElementById(keyOf(i));
    box.removeClass('filtered'); // it was asked for
    tell();
    if (cy.zoom() * FontSize < LeastText) cy.zoom(LeastText / FontSize);
    if (!inView(box)) cy.center(box);
  }
  function inView(box) {
    const b = box.renderedBoundingBox();
    return b.x1 >= 0 && b.y1 >= 0 && b.x2 <= cy.width() && b.y2 <= cy.height();
  }
  function selected() {
    const key = cy.$('node:selected').first().id();
    return key && key[0] === 'n' ? Number(key.slice(1)) : null;
  }
  function select(i) {
    cy.elements().unselect();
    cy.getElementById(keyOf(i)).select();
  }

  // ---- lists and details

  const element = (name, content, more) => Object.assign(document.createElement(name), { textContent: content ?? '' }, more);
  function link(i, content) {
    const a = element('a', content, { tabIndex: 0, onclick: () => { go(i); document.getElementById('graph').focus(); } });
    a.onkeydown = (e) => { if (e.key === 'Enter') go(i); };
    return a;
  }
  function table(head, rows) {
    const all = element('table');
    const add = (cells, cell) => {
      const tr = element('tr');
      cells.forEach((c, k) => {
        const td = element(cell, typeof c === 'object' ? '' : c, { className: k > 0 ? 'n' : '' });
        if (typeof c === 'object') td.append(c);
        tr.append(td);
      });
      all.append(tr);
    };
    add(head, 'th');
    rows.forEach((r) => add(r, 'td'));
    return all;
  }
  function isOfKind(n) {
    const kind = document.getElementById('kind').value;
    return !kind || n.kind === kind;
  }
  /// The graph has the boxes of the kind; where it had none, the largest of them.
  function filter() {
    cy.batch(() => cy.nodes().not('.word').forEach((box) => {
      const of = box.data('of') ?? Number(box.id().slice(1));
      box.toggleClass('filtered', !isOfKind(nodes[of]));
    }));
    tell();
    list();
    if (visible().length || !document.getElementById('kind').value) overview();
    else start(bySize.filter(isOfKind).slice(0, 50));
  }
  function matching() {
    const want = document.getElementById('find').value.trim().toLowerCase();
    return (n) => isOfKind(n) && (!want || nameOf(n).toLowerCase().includes(want) ||
      '#' + n.id === want || siteText(n.site).toLowerCase().includes(want));
  }
  function list() {
    const by = document.getElementById('by').value, into = document.getElementById('list');
    const found = bySize.filter(matching());
    document.getElementById('count').textContent = `${number(found.length)} of ${number(nodes.length)} objects`;
    into.replaceChildren();
    if (by === 'objects') {
      into.append(table(['object', 'retained'], found.slice(0, 50).map((n) => [link(n.i, nameOf(n)), n.retained === null ? '–' : number(n.retained)])));
      if (found.length > 50) into.append(element('p', `and ${number(found.length - 50)} more`, { className: 'note' }));
      return;
    }
    const groups = new Map();
    for (const n of found) {
      const key = by === 'type' ? n.type : siteText(n.site), g = groups.get(key) ?? { count: 0, size: 0, largest: n };
      g.count += 1, g.size += n.shallow;
      groups.set(key, g);
    }
    const rows = [...groups].sort((a, b) => b[1].size - a[1].size);
    into.append(table([by, 'count', 'bytes'], rows.slice(0, 100).map(([key, g]) => [link(g.largest.i, key), number(g.count), number(g.size)])));
  }
  function details() {
    const into = document.getElementById('details'), i = selected();
    into.replaceChildren();
    if (i === null) {
      into.append(element('h2', 'Keys'));
      into.append(element('p', 'Enter or double click opens an object, and closes it again. Arrows go to the next box. p pins, f fits, c clears, / finds.'));
      into.append(element('h2', 'Signs'));
      const legend = element('ul', '', { id: 'legend' });
      for (const line of ['thick line: keeps alive (dominates)', 'thin line: refers to', 'dashed line: several references',
        'words above a box: how the selected object refers to it (→), and it to the selected one (←)',
        'thick border: a root leads here; “root?” where it is a guess', 'rectangle with sharp corners: array or bytes', 'cut corners: closure', 'barrel, dashed: type not known',
        'octagon: not live', 'double border: chunk of an arena', 'tag, dotted: several objects'])
        legend.append(element('li', line));
      into.append(legend);
      if (heap.approximate) into.append(element('p', 'Approximate: ' + heap.approximate, { className: 'note' }));
      return;
    }
    const n = nodes[i];
    into.append(element('h2', nameOf(n)));
    into.append(table(['', ''], [['kind', n.kind], ['bytes', number(n.shallow)],
      ['retained', n.retained === null ? 'unavailable: no root leads here' : number(n.retained)], ['allocated', siteText(n.site)],
      ['owner', n.owner], ['provenance', n.provenance], ['validity', n.validity],
      ['kept by', n.parent >= 0 ? link(n.parent, nameOf(nodes[n.parent])) : n.roots.length ? 'a root' : '–']]));
    const part = (title, edges, end) => {
      into.append(element('h2', `${title} (${number(edges.length)})`));
      into.append(table(['', ''], edges.slice(0, 100).map((e) => [e.label || e.kind, link(e[end], nameOf(nodes[e[end]]))])));
    };
    if (n.roots.length) {
      into.append(element('h2', 'Roots'));
      into.append(table(['', ''], n.roots.slice(0, 100).map((r) => [r.name + r.label + (r.guess ? ' (a guess)' : ''), r.kind])));
    }
    part('Refers to', n.out, 'to');
    part('Referred to by', n.into, 'from');
  }
  function say() {
    for (const i of shown.keys()) cy.getElementById(keyOf(i)).data('label', boxText(nodes[i]));
    route();
    tell();
    details();
  }

  // ---- hands

  function toggle(i) {
    if (opened.has(i)) close(i), say();
    else open(i);
  }
  cy.on('select unselect', 'node', () => {
    tell();
    details();
  });
  cy.on('dbltap', 'node', (e) => {
    const data = e.target.data();
    if (data.of !== undefined) open(data.of);
    else toggle(Number(data.id.slice(1)));
  });
  // A box that was moved stays in the nearest free cell.
  cy.on('drag', 'node', (e) => {
    cy.remove('node.word');
    e.target.connectedEdges().addClass('moving');
  });
  cy.on('dragfree', 'node', (e) => {
    const key = e.target.id(), at = e.target.position();
    leave(key);
    e.target.position(position(place(key, Math.round(at.x / Across), Math.round(at.y / Down))));
    cy.edges().removeClass('moving');
    say();
  });
  function step(dx, dy) {
    const at = cells.get(cy.$('node:selected').first().id());
    let best = null, least = Infinity;
    visible().forEach((box) => {
      const cell = cells.get(box.id());
      if (!at) { if (!best) best = box; return; }
      const across = cell.column - at.column, down = cell.row - at.row;
      if (dx ? Math.sign(across) !== dx : across !== 0 || Math.sign(down) !== dy) return;
      const far = Math.abs(across) * 100 + Math.abs(down);
      if (far < least) least = far, best = box;
    });
    if (!best) return;
    cy.elements().unselect();
    best.select();
    if (!inView(best)) cy.center(best);
  }
  document.addEventListener('keydown', (e) => {
    // What is written in takes all keys, what is pressed those that press it.
    const takesKeys = e.target.matches('input:not([type=checkbox]), select'), isPressed = e.target.matches('a, button, input');
    if (takesKeys && e.key === 'Escape') document.getElementById('graph').focus();
    if (takesKeys || isPressed && (e.key === 'Enter' || e.key === ' ')) return;
    const i = selected(), moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (moves[e.key]) step(...moves[e.key]);
    else if (e.key === 'Enter' && i !== null) toggle(i);
    else if (e.key === 'Enter') { const of = cy.$('node:selected').first().data('of'); if (of !== undefined) open(of); }
    else if (e.key === 'p' && i !== null) { if (!pins.delete(i)) pins.add(i); say(); }
    else if (e.key === 'f') isChosen = true, fit();
    else if (e.key === 'c') clear();
    else if (e.key === '/') document.getElementById('find').focus();
    else if (e.key === 'Escape') { cy.elements().unselect(); }
    else return;
    e.preventDefault();
  });
  document.getElementById('fit').onclick = () => { isChosen = true; fit(); };
  document.getElementById('clear').onclick = clear;
  document.getElementById('by').onchange = list;
  document.getElementById('kind').onchange = filter;
  document.getElementById('find').oninput = list;
  document.getElementById('find').onkeydown = (e) => {
    const first = e.key === 'Enter' && bySize.find(matching());
    if (first) go(first.i);
  };

  document.getElementById('title').textContent = heap.name ? `Heap “${heap.name}”` : 'Heap';
  for (const kind of [...new Set(nodes.map((n) => n.kind))].sort())
    document.getElementById('kind').append(element('option', kind, { value: kind }));
  list();
  // `#object=5` of the page's address: around that object.
  const asked = nodes.find((n) => location.hash === '#object=' + n.id);
  if (asked) go(asked.i), open(asked.i, true), overview();
  else start(bySize.slice(0, 50));
  /// What tests ask.
  window.heapView = { nodes: nodes.length, boxes: () => cy.nodes().not('.word').map((b) => ({ id: b.id(), ...b.position(), width: b.width(), height: b.height() })),
    lines: () => cy.edges(':visible').map((e) => ({ from: e.data('source'), to: e.data('target'),
      points: [e.sourceEndpoint(), ...(e.segmentPoints() ?? []), e.targetEndpoint()] })),
    words: () => cy.$('node.word').map((w) => w.boundingBox({ includeNodes: false, includeEdges: false })), open, close, go, clear,
    selected: () => nodes[selected()]?.id, textSize: () => cy.zoom() * FontSize, inView: (i) => inView(cy.getElementById(keyOf(i))), largest: bySize[0]?.i,
    select, kinds: () => [...new Set(visible().not('.many').map((b) => b.data('kind')))] };
})();
