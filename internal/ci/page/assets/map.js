// The map: a treemap of repositories and modules on a canvas, with the edges
// of the module that is chosen.
'use strict';

const map = { data: null, boxes: [], heads: [], repo: -1, chosen: -1, uses: null, users: null, order: [] };

// squarify lays items of given sizes out in a rectangle, near to squares
// (Bruls, Huizing, van Wijk 2000).
function squarify(items, x, y, w, h, put) {
  let total = items.reduce((s, i) => s + i.size, 0);
  let at = 0;
  while (at < items.length && w > 0 && h > 0) {
    const side = Math.min(w, h), scale = (w * h) / total;
    let row = 0, least = Infinity, most = 0, worst = Infinity, end = at;
    while (end < items.length) {
      const s = items[end].size * scale, sum = row + s;
      const min = Math.min(least, s), max = Math.max(most, s);
      const now = Math.max((side * side * max) / (sum * sum), (sum * sum) / (side * side * min));
      if (now > worst) break;
      [row, least, most, worst] = [sum, min, max, now];
      end++;
    }
    const depth = row / side;
    let along = 0;
    for (let i = at; i < end; i++) {
      const len = (items[i].size * scale) / depth;
      if (w >= h) put(items[i], x, y + along, depth, len);
      else put(items[i], x + along, y, len, depth);
      along += len;
      total -= items[i].size;
    }
    if (w >= h) { x += depth; w -= depth; } else { y += depth; h -= depth; }
    at = end;
  }
}

function layOutMap(width, height) {
  const { modules, repos } = map.data;
  map.boxes = new Array(modules.length).fill(null);
  map.heads = [];
  const groups = repos.map((r, i) => ({ repo: i, items: [], size: 0 }));
  modules.forEach((m, i) => {
    const size = Math.max(1, m.d + m.f);
    groups[m.r].items.push({ module: i, size });
    groups[m.r].size += size;
  });
  const shown = groups.filter((g) => g.size > 0 && (map.repo < 0 || g.repo === map.repo)).sort((a, b) => b.size - a.size);
  squarify(shown, 0, 0, width, height, (g, x, y, w, h) => {
    const head = h > 36 ? 18 : 0;
    map.heads.push({ repo: g.repo, x, y, w, h, head });
    g.items.sort((a, b) => b.size - a.size || a.module - b.module);
    squarify(g.items, x + 2, y + head + 1, w - 4, h - head - 3, (m, bx, by, bw, bh) => { map.boxes[m.module] = { x: bx, y: by, w: bw, h: bh }; });
  });
  map.order = map.boxes.map((b, i) => (b ? i : -1)).filter((i) => i >= 0).sort((a, b) => size(b) - size(a) || a - b);
}

const size = (i) => map.data.modules[i].d + map.data.modules[i].f;

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

function drawMap() {
  const canvas = byId('map-canvas');
  const width = canvas.clientWidth, height = canvas.clientHeight, ratio = window.devicePixelRatio || 1;
  if (!map.data || width === 0) return;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const c = canvas.getContext('2d');
  c.scale(ratio, ratio);
  layOutMap(width, height);
  const ink = colour('--ink'), line = colour('--line'), panel = colour('--panel'), paper = colour('--paper'), accent = colour('--accent'), soft = colour('--accent-soft');
  c.fillStyle = panel;
  c.fillRect(0, 0, width, height);
  c.textBaseline = 'middle';
  const near = new Set(map.chosen >= 0 ? [...map.uses[map.chosen], ...map.users[map.chosen]].map((e) => e[0]) : []);
  c.font = '11px ui-monospace, Menlo, Consolas, monospace';
  c.strokeStyle = line;
  map.boxes.forEach((b, i) => {
    if (!b) return;
    c.fillStyle = i === map.chosen ? accent : near.has(i) ? soft : paper;
    c.fillRect(b.x, b.y, b.w, b.h);
    if (b.w > 3 && b.h > 3) c.strokeRect(b.x + .5, b.y + .5, b.w - 1, b.h - 1);
    if (b.w > 34 && b.h > 14) {
      c.fillStyle = i === map.chosen ? paper : ink;
      fit(c, label(i), b.x + 4, b.y + 9, b.w - 8);
    }
  });
  c.font = '600 12px system-ui, sans-serif';
  for (const h of map.heads) {
    c.strokeStyle = ink;
    c.strokeRect(h.x + .5, h.y + .5, h.w - 1, h.h - 1);
    if (h.head) { c.fillStyle = ink; fit(c, map.data.repos[h.repo].name, h.x + 6, h.y + 10, h.w - 12); }
  }
  if (map.chosen >= 0 && map.boxes[map.chosen]) {
    drawEdges(c, map.uses[map.chosen], ink, []);
    drawEdges(c, map.users[map.chosen], accent, [5, 4]);
  }
}

function drawEdges(c, edges, stroke, dash) {
  const from = middle(map.chosen);
  c.strokeStyle = stroke;
  c.setLineDash(dash);
  for (const [other, n] of edges.slice(0, 200)) {
    if (!map.boxes[other]) continue;
    const to = middle(other);
    c.lineWidth = Math.min(4, 1 + Math.log10(n));
    c.beginPath();
    c.moveTo(from.x, from.y);
    c.quadraticCurveTo((from.x + to.x) / 2 + (to.y - from.y) * .15, (from.y + to.y) / 2 - (to.x - from.x) * .15, to.x, to.y);
    c.stroke();
  }
  c.setLineDash([]);
  c.lineWidth = 1;
}

function middle(i) { const b = map.boxes[i]; return { x: b.x + b.w / 2, y: b.y + b.h / 2 }; }

function fit(c, text, x, y, room) {
  if (c.measureText(text).width > room) {
    const n = Math.floor((room / c.measureText(text).width) * text.length) - 1;
    if (n < 3) return;
    text = text.slice(0, n) + '…';
  }
  c.fillText(text, x, y);
}

function label(i) {
  const m = map.data.modules[i], r = map.data.repos[m.r];
  if (m.p === r.path) return '.';
  return r.path ? m.p.slice(r.path.length + 1) : m.p;
}

const fullName = (i) => map.data.modules[i].p || '.';

function choose(i) {
  map.chosen = i;
  const facts = byId('module-facts');
  if (i < 0) { facts.replaceChildren(); drawMap(); return; }
  const m = map.data.modules[i];
  if (map.repo >= 0 && map.repo !== m.r) map.repo = -1;
  facts.replaceChildren(el('h2', {}, fullName(i)),
    el('p', {}, map.data.repos[m.r].name + ' · ' + count(m.f, 'file') + ' · ' + count(m.d, 'definition') + (m.l ? ' · ' + m.l : '')),
    ...(m.t.length ? [el('h2', {}, 'Used most'), el('ul', { class: 'plain' }, ...m.t.map((t) => el('li', {}, el('code', {}, t.n), ' ', place(t.f, t.l), ' ', el('span', { class: 'tag' }, count(t.u, 'use')))))] : []),
    ...edgeList('Uses', map.uses[i]), ...edgeList('Used by', map.users[i]));
  mapPath();
  drawMap();
}

function edgeList(title, edges) {
  if (!edges.length) return [];
  const rest = edges.length - 25;
  return [el('h2', {}, title), el('ul', { class: 'plain' }, ...edges.slice(0, 25).map(([other, n]) => el('li', {}, moduleButton(other), ' ', el('span', { class: 'tag' }, number(n)))),
    rest > 0 ? el('li', {}, 'and ' + number(rest) + ' more') : null)];
}

function moduleButton(i) { return el('button', { type: 'button', class: 'link', on: { click: () => choose(i) } }, fullName(i)); }

function mapPath() {
  byId('map-path').textContent = map.repo < 0 ? count(map.data.repos.length, 'repository', 'repositories') : map.data.repos[map.repo].name;
  byId('map-canvas').setAttribute('aria-label', map.chosen >= 0 ? 'Map; ' + fullName(map.chosen) + ' is chosen' : 'Map of repositories and modules');
}

function listModules(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = map.sizes.filter((i) => words.every((w) => map.data.modules[i].p.toLowerCase().includes(w)));
  byId('modules').replaceChildren(...found.slice(0, 12).map((i) => el('li', {}, moduleButton(i))),
    ...(found.length > 12 ? [el('li', {}, 'and ' + number(found.length - 12) + ' more')] : []));
}

function at(event) {
  const box = byId('map-canvas').getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  const inside = (b) => b && x >= b.x && x < b.x + b.w && y >= b.y && y < b.y + b.h;
  return { module: map.boxes.findIndex(inside), head: map.heads.find(inside) };
}

function enter(repo) { map.repo = map.repo === repo ? -1 : repo; mapPath(); drawMap(); }

async function openMap() {
  if (map.data) return;
  map.data = await readJSON('page/map');
  map.uses = map.data.modules.map(() => []);
  map.users = map.data.modules.map(() => []);
  for (const [a, b, n] of map.data.edges) { map.uses[a].push([b, n]); map.users[b].push([a, n]); }
  map.sizes = map.data.modules.map((_, i) => i).sort((a, b) => size(b) - size(a) || a - b);
  byId('map-lead').textContent = count(map.data.modules.length, 'module') + ' in ' + count(map.data.repos.length, 'repository', 'repositories') + ', ' + count(map.data.edges.length, 'edge') +
    (map.data.left_out ? '; ' + number(map.data.left_out) + ' modules and edges are left out' : '') + '.';
  listModules('');
  mapPath();
}

page.views.map = async (params) => {
  await openMap();
  const i = params.get('module') ? map.data.modules.findIndex((m) => m.p === params.get('module')) : map.chosen;
  choose(i);
  document.body.dataset.map = 'drawn';
};

byId('map-canvas').addEventListener('click', (event) => {
  const hit = at(event);
  if (hit.module >= 0) choose(hit.module);
  else if (hit.head) enter(hit.head.repo);
});
byId('map-canvas').addEventListener('dblclick', (event) => { const hit = at(event); if (hit.head) enter(hit.head.repo); });
byId('map-canvas').addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step) {
    const n = map.order.length, now = map.order.indexOf(map.chosen);
    choose(map.order[now < 0 ? (step > 0 ? 0 : n - 1) : (now + step + n) % n]);
  } else if (event.key === 'Enter' && map.chosen >= 0) enter(map.data.modules[map.chosen].r);
  else if (event.key === 'Escape') { map.repo = -1; choose(-1); mapPath(); }
  else return;
  event.preventDefault();
});
byId('map-all').addEventListener('click', () => { map.repo = -1; mapPath(); drawMap(); });
byId('module').addEventListener('input', later(80, () => listModules(byId('module').value)));
window.addEventListener('resize', later(100, () => { if (!byId('map-canvas').closest('section').hidden) drawMap(); }));
