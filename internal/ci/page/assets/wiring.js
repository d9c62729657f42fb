// The wiring: a diagram from those who make a thing, over the thing, to those
// who use it; and every place below it.
'use strict';

let rows = null;

// Groups of a row whose places come before the thing; all others come after.
const sources = new Set(['published by', 'sent by', 'deployed by']);
const maxDrawn = 60;

function svg(name, attributes, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

function ends(row) {
  const before = new Map(), after = new Map();
  for (const g of row.groups) {
    for (const p of g.places || []) {
      const side = sources.has(g.role) ? before : after;
      side.set(p.repo, (side.get(p.repo) || 0) + 1);
    }
  }
  return { before, after };
}

const cut = (text, n) => (text.length > n ? text.slice(0, n - 1) + '…' : text);

function diagram(list) {
  const drawn = list.filter((r) => !r.kind.startsWith('unresolved')).slice(0, maxDrawn);
  if (!drawn.length) return el('p', {}, 'Nothing to draw.');
  const high = 34, width = 1120, left = 10, mid = 330, right = 910, boxW = 440, repoW = 200;
  const height = Math.max(drawn.length * high, 80);
  const places = { before: new Map(), after: new Map() };
  drawn.forEach((row, i) => {
    const e = ends(row);
    for (const side of ['before', 'after']) for (const repo of e[side].keys()) {
      if (!places[side].has(repo)) places[side].set(repo, []);
      places[side].get(repo).push(i);
    }
  });
  const spots = {};
  for (const side of ['before', 'after']) {
    const list = [...places[side]].map(([repo, at]) => ({ repo, y: at.reduce((s, i) => s + i, 0) / at.length })).sort((a, b) => a.y - b.y || (a.repo < b.repo ? -1 : 1));
    const gap = height / Math.max(1, list.length);
    spots[side] = new Map(list.map((r, i) => [r.repo, gap * (i + .5)]));
  }
  const root = svg('svg', { width, height: height + 20, viewBox: `0 0 ${width} ${height + 20}`, role: 'img', 'aria-label': 'Who makes what, and who uses it; the list below says the same' });
  drawn.forEach((row, i) => {
    const y = i * high + 24, e = ends(row);
    for (const repo of e.before.keys()) root.append(curve(left + repoW, spots.before.get(repo) + 10, mid, y, ''));
    for (const repo of e.after.keys()) root.append(curve(mid + boxW, y, right, spots.after.get(repo) + 10, 'in'));
  });
  drawn.forEach((row, i) => {
    const y = i * high + 24;
    const a = svg('a', { href: '#row-' + rows.indexOf(row), 'aria-label': row.name });
    a.addEventListener('click', (event) => { event.preventDefault(); showRow(rows.indexOf(row)); });
    a.append(svg('rect', { class: 'box', x: mid, y: y - 13, width: boxW, height: 26, rx: 4 }), svg('text', { x: mid + 8, y: y + 4 }, cut(row.name, 38)), svg('text', { class: 'soft', x: mid + boxW - 8, y: y + 4, 'text-anchor': 'end' }, cut(row.kind, 18)));
    root.append(a);
  });
  for (const [side, x] of [['before', left], ['after', right]]) {
    for (const [repo, y] of spots[side]) root.append(svg('rect', { class: 'box', x, y: y - 4, width: repoW, height: 28, rx: 14 }), svg('text', { x: x + repoW / 2, y: y + 15, 'text-anchor': 'middle' }, cut(repo || '?', 24)));
  }
  return root;
}

function curve(x1, y1, x2, y2, cls) { return svg('path', { class: cls, d: `M${x1} ${y1} C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}` }); }

function showRow(i) {
  const row = byId('row-' + i);
  if (!row) return;
  row.open = true;
  row.scrollIntoView({ block: 'center' });
  row.querySelector('summary').focus();
}

function rowDetails(row) {
  return el('details', { class: 'row', id: 'row-' + rows.indexOf(row) }, el('summary', {}, el('code', {}, row.name), ' ', el('span', { class: 'tag' }, row.kind), ' ', row.groups.filter((g) => (g.places || []).length).map((g) => g.role + ' ' + g.places.length).join(' · ')),
    ...row.groups.filter((g) => (g.places || []).length).map((g) => el('div', {}, el('h2', {}, g.role), el('ul', { class: 'plain' }, ...g.places.map((p) =>
      el('li', {}, place(p.file, p.line), p.version ? ' ' + p.version : '', ' ', ...[p.when, p.note, p.via ? 'through ' + p.via : '', p.certainty ? 'certainty ' + p.certainty : ''].filter(Boolean).map((t) => el('span', { class: 'tag' }, t))))))));
}

function showWiring() {
  const words = byId('wire').value.toLowerCase().split(/\s+/).filter(Boolean), kind = byId('wire-kind').value;
  const list = rows.filter((r) => (kind === '' || r.kind === kind) && words.every((w) => r.text.includes(w)));
  byId('wire-state').textContent = list.length === 0 ? 'Nothing of this name is wired; that does not mean that nothing uses it.'
    : count(list.length, 'row') + (list.length > maxDrawn ? '; the first ' + maxDrawn + ' are drawn' : '');
  byId('wire-diagram').replaceChildren(diagram(list));
  byId('wire-rows').replaceChildren(...list.slice(0, 400).map(rowDetails), ...(list.length > 400 ? [el('p', {}, number(list.length - 400) + ' more; filter to see them')] : []));
}

page.views.wiring = async (params) => {
  if (!rows) {
    rows = await readJSON('page/wiring');
    for (const r of rows) r.text = [r.name, r.kind, ...r.groups.flatMap((g) => (g.places || []).flatMap((p) => [p.repo, p.file, p.version]))].join(' ').toLowerCase();
    const kinds = [...new Set(rows.map((r) => r.kind))].sort();
    byId('wire-kind').replaceChildren(el('option', { value: '' }, 'all'), ...kinds.map((k) => el('option', { value: k }, k)));
  }
  if (params.has('q')) byId('wire').value = params.get('q');
  showWiring();
  document.body.dataset.wiring = 'drawn';
};
byId('wire').addEventListener('input', later(120, () => rows && showWiring()));
byId('wire-kind').addEventListener('change', () => rows && showWiring());
