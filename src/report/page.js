'use strict';
// The page is whole as it is; this orders its topics, and hides some.
const $ = (id) => document.getElementById(id);
const topics = JSON.parse($('data').textContent);

const spread = (values) => Math.max(...values) - Math.min(...values);

/** The topics that are shown, in their order. */
function arranged() {
  const of = topics.map((topic) => topic.values[$('measure').value]);
  // The baseline is the first.
  const run = $('run') ? Number($('run').value) : 0;
  const difference = (at) => of[at][run] - of[at][0];
  const keys = {
    topic: (at) => at,
    loss: difference,
    gain: (at) => -difference(at),
    symbols: (at) => topics[at].symbols,
    disagreement: (at) => -spread(of[at]),
  };
  const by = (key) => (a, b) => key(a) - key(b) || a - b;
  const most = Math.max(1, Number($('most').value) || of.length);
  const kept = [...of.keys()].sort(by(keys.disagreement)).slice(0, most);
  return kept.sort(by(keys[$('order').value]));
}

function arrange() {
  const order = arranged();
  const places = new Map(order.map((at, place) => [at, place]));
  const sections = new Map([...$('topics').children].map((section) => [Number(section.dataset.at), section]));
  for (const [at, section] of sections) section.hidden = !places.has(at);
  $('topics').append(...order.map((at) => sections.get(at)));
  for (const figure of document.querySelectorAll('figure')) {
    figure.hidden = figure.dataset.measure !== $('measure').value;
    const { left, place } = figure.querySelector('.plot').dataset;
    for (const topic of figure.querySelectorAll('.topic')) {
      const here = places.get(Number(topic.dataset.at));
      topic.style.display = here === undefined ? 'none' : '';
      if (here !== undefined) topic.setAttribute('transform', `translate(${Number(left) + here * Number(place)} 0)`);
    }
  }
}

/** What is jumped to does not hide under the controls. */
function leaveRoom() {
  const isOver = getComputedStyle($('controls')).position === 'sticky';
  document.documentElement.style.scrollPaddingTop = isOver ? `${$('controls').offsetHeight + 4}px` : '';
}

/** The theme: as the system has it until the reader chooses one. */
const THEMES = { auto: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' };
let theme = 'auto';
try {
  const kept = localStorage.getItem('phocus.theme');
  if (kept in THEMES) theme = kept;
} catch { /* a file may have no storage */ }

function paint() {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $('theme').textContent = THEMES[theme];
}

$('theme').hidden = false;
$('theme').addEventListener('click', () => {
  const names = Object.keys(THEMES);
  theme = names[(names.indexOf(theme) + 1) % names.length];
  try { localStorage.setItem('phocus.theme', theme); } catch { /* not remembered */ }
  paint();
});
paint();

$('controls').hidden = false;
leaveRoom();
addEventListener('resize', leaveRoom);
$('controls').addEventListener('input', arrange);
$('controls').addEventListener('submit', (event) => event.preventDefault());
// A browser may keep what was chosen before the page was loaded again.
arrange();
