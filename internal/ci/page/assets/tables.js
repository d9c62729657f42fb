// Bench, coverage and changes: what is best read as a table.
'use strict';

const share = (n, of) => (of ? (100 * n / of).toFixed(n === of || n === 0 ? 0 : 1) + ' %' : '—');

function bar(part) {
  return el('span', { class: 'bar w' + Math.round(10 * Math.max(0, Math.min(1, part || 0))), 'aria-hidden': 'true' });
}

function chart(scores) {
  const w = 720, h = 160, pad = 28, step = (w - 2 * pad) / Math.max(1, scores.length - 1);
  const at = scores.map((s, i) => [pad + i * step, h - pad - (h - 2 * pad) * (s.questions ? s.first / s.questions : 0)]);
  const root = svg('svg', { width: w, height: h, viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': 'Share of questions answered right first, by bundle; the table below says the same' });
  root.append(svg('text', { class: 'soft', x: 2, y: pad }, '100 %'), svg('text', { class: 'soft', x: 8, y: h - pad }, '0 %'), svg('polyline', { points: at.map((p) => p.join(',')).join(' ') }));
  for (const [x, y] of at) root.append(svg('circle', { cx: x, cy: y, r: 3 }));
  return el('div', { class: 'scroll' }, root);
}

page.views.bench = async () => {
  const scores = await readJSON('page/history'), bench = page.build.bench, into = byId('bench-view');
  const parts = [];
  if (!bench) parts.push(el('p', {}, 'No questions were asked of this bundle. bundle-publish build --bench FILE asks some.'));
  else {
    parts.push(el('p', {}, bench.first + ' of ' + bench.questions + ' questions are answered right first, ' + bench.in_five + ' within five; mean reciprocal rank ' + bench.mrr.toFixed(3) + '.'));
    parts.push(table(['Type', '#Right first', '#Asked', 'Share'], bench.types.map((t) => [t.type, number(t.first), number(t.questions), el('span', {}, bar(t.first / t.questions), share(t.first, t.questions))])));
    const wrong = bench.results.filter((r) => r.rank !== 1);
    parts.push(el('h2', {}, 'Not right first'), wrong.length ? table(['Question', 'Type', '#Place', 'Stood first'], wrong.map((r) => [r.id, r.type, r.rank || '—', r.found || '—'])) : el('p', {}, 'None.'));
  }
  if (scores.length > 1) {
    parts.push(el('h2', {}, 'History'), chart(scores));
    parts.push(table(['Time', 'Commit', '#Right first', '#Asked', '#Reciprocal rank'], [...scores].reverse().slice(0, 50).map((s) => [s.time.slice(0, 10), el('code', {}, s.head.slice(0, 12)), number(s.first), number(s.questions), s.mrr.toFixed(3)])));
  }
  into.replaceChildren(...parts);
};

page.views.coverage = () => {
  const b = page.build;
  const counts = (title, m) => (m && Object.keys(m).length ? [el('h2', {}, title), table(['Reason', '#Files'], Object.entries(m).sort((x, y) => y[1] - x[1]).map(([k, n]) => [k, number(n)]))] : []);
  byId('coverage-view').replaceChildren(
    table(['Language', '#Files', '#Definitions', '#Calls seen', '#Calls resolved', 'Parsed without an error'],
      [...b.languages].sort((x, y) => y.definitions - x.definitions || y.files - x.files).map((l) => [l.name, number(l.files), number(l.definitions), number(l.calls), l.calls ? share(l.resolved, l.calls) : '—', el('span', {}, bar(l.coverage), share(l.coverage, 1))])),
    ...counts('Left out', b.left_out), ...counts('Read as words only', b.unparsed),
    el('h2', {}, 'Repositories'), table(['Repository', 'Path', 'Commit'], page.repos.map((r) => [r.name, r.path || '.', el('code', {}, r.head.slice(0, 12))])));
};

page.views.changes = async () => {
  const c = await readJSON('page/changes'), into = byId('changes-view');
  if (!c) {
    into.replaceChildren(el('p', {}, 'No earlier bundle was given. bundle-publish page --before DIR compares with one.'));
    return;
  }
  const mark = { new: 'good', gone: 'bad' };
  const what = (w) => el('span', { class: mark[w] || null }, w);
  into.replaceChildren(el('p', {}, 'Since the bundle of ' + c.from.slice(0, 12) + ' (' + c.time.slice(0, 10) + ')' + (c.left_out ? '; ' + number(c.left_out) + ' rows are left out' : '') + '.'),
    el('h2', {}, 'Repositories'), c.repos.length ? table(['Repository', 'From', 'To'], c.repos.map((r) => [r.name, el('code', {}, r.from.slice(0, 12) || '—'), el('code', {}, r.to.slice(0, 12) || '—')])) : el('p', {}, 'None moved.'),
    el('h2', {}, 'Files'), c.files.length ? table(['File', '', 'Definitions added', 'removed'], c.files.map((f) => [f.what === 'gone' ? el('code', {}, f.file) : place(f.file, 0), what(f.what), f.added.join(', '), f.removed.join(', ')])) : el('p', {}, 'No file defines anything else.'),
    el('h2', {}, 'Wiring'), c.wiring.length ? table(['Name', 'Kind', ''], c.wiring.map((r) => [r.name, r.kind, what(r.what)])) : el('p', {}, 'The same.'));
};
