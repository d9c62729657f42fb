// The search: the program's own, compiled for the browser.
'use strict';

let engine = null;
let asked = 0;

// marolaRead is how the engine reads the bundle.
function marolaRead(name) { return read(name); }

function startEngine() {
  if (!engine) {
    engine = (async () => {
      const bytes = await read('engine.wasm', 'engine.js');
      if (!bytes) throw new Error('engine.js is missing from this page');
      const go = new Go();
      const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
      await new Promise((resolve) => { globalThis.marolaReady = resolve; go.run(instance); });
    })();
  }
  return engine;
}

async function answer(question, limit) {
  await startEngine();
  return JSON.parse(await globalThis.marolaQuery(JSON.stringify({ Question: question, Limit: limit || 10 })));
}

async function search(question) {
  const mine = ++asked;
  const state = byId('state'), files = byId('files'), beside = byId('beside');
  if (!question.trim()) {
    state.textContent = '';
    files.replaceChildren();
    beside.replaceChildren();
    return;
  }
  const begun = performance.now();
  const slow = setTimeout(() => { if (mine === asked) state.textContent = 'Looking…'; }, 150);
  let a;
  try {
    a = await answer(question);
  } catch (err) {
    a = { error: String(err && err.message || err) };
  }
  clearTimeout(slow);
  if (mine !== asked) return; // a newer question is asked
  if (a.error) {
    state.textContent = 'No answer: ' + a.error;
    files.replaceChildren();
    beside.replaceChildren();
    return;
  }
  const ms = Math.round(performance.now() - begun);
  state.textContent = a.files.length === 0
    ? 'No word of the question is in the index.'
    : count(a.files.length, 'file') + ', best first' + (a.left_out ? '; ' + number(a.left_out) + ' more have a word of it' : '') + ' · ' + ms + ' ms';
  files.replaceChildren(...a.files.map((f) => hit(f, a.nodes.filter((n) => n.path === f.path))));
  beside.replaceChildren();
  if (a.wiring) beside.append(wiringHint(a.wiring));
  if (a.links.length) {
    beside.append(el('h2', {}, 'Next to it'), el('ul', { class: 'plain' }, ...a.links.map((l) =>
      el('li', {}, el('code', {}, l.source.label), ' ' + l.relation.replaceAll('_', ' ') + ' ', el('code', {}, l.target.label), ' ', place(l.target.path, l.target.line)))));
  }
  document.body.dataset.answered = question;
}

function hit(f, nodes) {
  return el('li', {}, el('div', { class: 'path' }, place(f.path, f.line)),
    nodes.length ? el('ul', { class: 'defs' }, ...nodes.map((n) => el('li', {}, el('code', {}, n.label), ' ', el('span', { class: 'tag' }, n.kind), n.line !== f.line ? ' line ' + n.line : ''))) : null);
}

// wiringHint is the line "WIRING name (kind)  route wiring name".
function wiringHint(line) {
  const term = line.split('  route wiring ')[1] || '';
  return el('p', {}, el('a', { href: '#wiring?q=' + encodeURIComponent(term) }, 'It is wired: ' + line.split('  ')[0].replace(/^WIRING /, '')));
}

page.views.search = (params) => {
  const q = params.get('q') || '';
  const input = byId('question');
  if (input.value !== q) input.value = q;
  startEngine().catch((err) => { byId('state').textContent = 'The search cannot start: ' + err.message; });
  search(q);
};

byId('question').addEventListener('input', later(120, () => {
  const q = byId('question').value;
  history.replaceState(null, '', '#search' + (q ? '?q=' + encodeURIComponent(q) : ''));
  search(q);
}));
