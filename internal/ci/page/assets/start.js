// What is shown follows the address: #view?key=value.
'use strict';

async function show() {
  const [view, query] = location.hash.slice(1).split(/\?(.*)/);
  const name = page.views[view] ? view : 'search';
  for (const s of document.querySelectorAll('main > section')) s.hidden = s.dataset.view !== name;
  for (const a of document.querySelectorAll('nav a')) {
    if (a.dataset.view === name) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  }
  try {
    await ready;
    await page.views[name](new URLSearchParams(query || ''));
  } catch (err) {
    const section = document.querySelector('main > section:not([hidden])');
    section.append(el('p', { role: 'alert', class: 'bad' }, 'This view cannot be shown: ' + err.message));
  }
  document.body.dataset.shown = name;
}

const ready = (async () => {
  page.build = await readJSON('build.json');
  const repos = await readJSON('page/repos');
  page.repos = repos;
  document.title = page.build.repo + ' · routing bundle';
  byId('name').textContent = page.build.repo;
  byId('built').textContent = page.build.commit_time.slice(0, 10) + ' · ' + page.build.head.slice(0, 12);
})();

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem('marola-theme', theme); } catch { /* a page without storage forgets */ }
  if (map.data && !byId('map-canvas').closest('section').hidden) drawMap();
}
byId('theme').addEventListener('click', () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  setTheme(dark ? 'light' : 'dark');
});
try { const kept = localStorage.getItem('marola-theme'); if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept; } catch { /* none kept */ }

document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    location.hash = '#search';
    byId('question').focus();
    byId('question').select();
  }
});
window.addEventListener('hashchange', show);
show();
