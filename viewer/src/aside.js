// SPDX-License-Identifier: Apache-2.0
// aside.js: what stands beside the scene: modes, plots, events, the model. A tab has its content when it is filled, after the first picture.
import { about } from './about.js';
import { modesTable } from './analysis.js';
import { listPlots } from './curves.js';
import { el } from './dom.js';
import { Events } from './events.js';
import { withUnit } from './numbers.js';
import { PathPlots } from './pathplots.js';
import { Plots } from './plots.js';
import { howItWent, whatThereIs, whatWasLeftOut } from './words.js';

const keys = [['Space', 'play, pause'], ['← →', 'a frame back, on (with Shift ten)'], ['Home End', 'first, last moment'], ['1 to 5', 'front, top, side, iso, fit'], ['+ −', 'faster, slower'],
  ['l', 'loop'], ['d', 'dark, light'], ['?', 'this list']];

export function makeAside(app) {
  const { data, player, ledger, analysis, state } = app;
  const s = data.page.summary;
  const fact = (name, value) => (value ? [el('dt', {}, name), el('dd', {}, value)] : []);
  const pane = (...children) => el('div', { class: 'tab', role: 'tabpanel' }, ...children);
  const panes = {
    Plots: pane(),
    Events: pane(),
    Model: pane(
      about(data.page.model) ? el('p', {}, about(data.page.model)) : null,
      el('dl', {}, ...fact('shows', whatThereIs(data)), ...fact('run', howItWent(data)), ...fact('simulated', analysis ? '' : withUnit(player.end, data.timeUnit)),
        ...fact('took', s && s.wall_s ? withUnit(s.wall_s, 's', 3) : ''), ...fact('file', data.page.file === 'zwang' ? '' : data.page.file), ...fact('zwang', data.page.version)),
      whatWasLeftOut(data) ? el('p', { class: 'note' }, whatWasLeftOut(data)) : null, el('pre', {}, data.page.model || ''),
      el('dl', {}, ...keys.flatMap(([k, what]) => [el('dt', {}, el('kbd', {}, k)), el('dd', {}, what)]))),
  };
  if (!ledger.length) delete panes.Events;
  if (analysis && analysis.modes.length) {
    delete panes.Plots; // nothing goes on in time there
    const modes = modesTable(analysis, (n, play) => { player.setWindow(n, n + 1); state.setSpeed(0.5); if (state.stage && !state.stage.touched && state.stage.view === 'home') state.stage.look('home'); if (play) player.play(); });
    state.pick = modes.pick;
    panes.Modes = pane(el('p', { class: 'note' }, 'Choose a mode to see it move. Small motions have no size of their own: it is chosen to be seen.'), modes.table);
  }
  const order = ['Modes', 'Plots', 'Events', 'Model'].filter((n) => panes[n]);
  const tabs = el('div', { class: 'tabs', role: 'tablist' });
  const choose = (name) => {
    if (!panes[name]) return;
    state.tab = name;
    for (const [n, one] of Object.entries(panes)) one.hidden = n !== name;
    for (const b of tabs.children) b.setAttribute('aria-selected', String(b.dataset.tab === name));
  };
  for (const name of order) {
    const text = name === 'Events' ? `Events (${data.page.ledger.total})` : name;
    tabs.append(el('button', { type: 'button', role: 'tab', 'data-tab': name, onclick: () => choose(name) }, text));
  }
  state.choose = choose;
  choose(order[0]);
  return {
    aside: el('aside', {}, tabs, ...order.map((n) => panes[n])),
    fill() {
      if (panes.Plots) {
        const plots = listPlots(data);
        state.plots = analysis && analysis.path ? new PathPlots(panes.Plots, plots, analysis.path, data, player) : new Plots(panes.Plots, plots, data, player);
        state.plots.setTheme(state.dark);
      }
      if (panes.Events) new Events(panes.Events, ledger, data.page.ledger.total, player);
    },
  };
}
