// What all views share: the data, which comes as scripts, and the elements.
'use strict';

const page = { build: null, repos: [], views: {} };
const waiting = new Map(); // name → what waits for it

// marolaData is called by every file under data/.
function marolaData(name, text) {
  const w = waiting.get(name);
  if (w) w.done(text);
}

async function unpacked(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// read gives the bytes of a data file, or null where there is none.
function read(name, src) {
  let w = waiting.get(name);
  if (!w) {
    w = {};
    waiting.set(name, w);
    w.bytes = new Promise((resolve) => {
      const s = document.createElement('script');
      s.src = src || 'data/' + name + '.js';
      s.async = true;
      w.done = (text) => { w.found = true; unpacked(text).then(resolve, () => resolve(null)); };
      s.onerror = () => resolve(null);
      s.onload = () => { s.remove(); if (!w.found) resolve(null); };
      document.head.append(s);
    });
  }
  return w.bytes;
}

async function readJSON(name) {
  const bytes = await read(name);
  if (!bytes) throw new Error('data/' + name + '.js is missing from this page');
  return JSON.parse(new TextDecoder().decode(bytes));
}

// el makes an element; text is never markup.
function el(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes || {})) {
    if (k === 'on') for (const [event, f] of Object.entries(v)) e.addEventListener(event, f);
    else if (v !== null && v !== undefined && v !== false) e.setAttribute(k, v);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

const byId = (id) => document.getElementById(id);
const number = (n) => n.toLocaleString('en');
const count = (n, one, many) => number(n) + ' ' + (n === 1 ? one : many || one + 's');

function repoOf(path) {
  let best = page.repos[0];
  for (const r of page.repos) if (r.path && path.startsWith(r.path + '/') && r.path.length > best.path.length) best = r;
  return best;
}

// place is a file with its line, as a link where its repository is on the web.
function place(path, line) {
  const text = line > 0 ? path + ':' + line : path;
  const r = repoOf(path);
  if (!r || !r.web) return el('code', {}, text);
  const own = r.path ? path.slice(r.path.length + 1) : path;
  const href = r.web + own.split('/').map(encodeURIComponent).join('/') + (line > 0 ? '#L' + line : '');
  return el('a', { href, rel: 'noreferrer', class: 'mono' }, text);
}

function table(heads, rows) {
  const cls = heads.map((h) => (h.startsWith('#') ? 'n' : null));
  return el('div', { class: 'scroll' }, el('table', {},
    el('thead', {}, el('tr', {}, ...heads.map((h, i) => el('th', { scope: 'col', class: cls[i] }, h.replace(/^#/, ''))))),
    el('tbody', {}, ...rows.map((r) => el('tr', {}, ...r.map((c, i) => el('td', { class: cls[i] }, c)))))));
}

function later(ms, f) {
  let t;
  return (...args) => { clearTimeout(t); t = setTimeout(() => f(...args), ms); };
}
