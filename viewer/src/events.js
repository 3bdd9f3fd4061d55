// SPDX-License-Identifier: Apache-2.0
// events.js: the ledger of events as a table; a row goes to its moment. The row of the latest event is marked.
import { el } from './dom.js';
import { show } from './numbers.js';

const SHOWN = 600;

export class Events {
  constructor(root, ledger, total, player) {
    this.rows = ledger.slice(0, SHOWN);
    this.player = player;
    if (!ledger.length) {
      root.append(el('p', { class: 'note' }, 'No events: nothing met, or contacts were stepped over without locating each of them.'));
      return;
    }
    const head = el('tr', {}, ...['t (s)', 'event', 'who', 'impulse (N s)', 'lost (J)'].map((t) => el('th', { scope: 'col' }, t)));
    this.lines = this.rows.map((r) => el('tr', { tabindex: '0', onclick: () => player.set(r.time), onkeydown: (e) => { if (e.key === 'Enter') player.set(r.time); } },
      el('td', { class: 'n' }, show(r.time, 5)), el('td', {}, r.kind), el('td', {}, r.side), el('td', { class: 'n' }, show(r.impulse, 3)), el('td', { class: 'n' }, show(r.dissipated, 3))));
    root.append(el('div', { class: 'ledger' }, el('table', {}, el('thead', {}, head), el('tbody', {}, ...this.lines))));
    if (total > SHOWN) root.append(el('p', { class: 'note' }, `The first ${SHOWN} of ${total} rows; zwang export has all of them.`));
    player.subscribe((t) => this.mark(t));
    this.mark(player.t);
  }

  mark(t) {
    let now = -1;
    for (let i = 0; i < this.rows.length && this.rows[i].time <= t + 1e-12; i++) now = i;
    if (now === this.marked) return;
    if (this.marked >= 0) this.lines[this.marked].classList.remove('now');
    if (now >= 0) this.lines[now].classList.add('now');
    this.marked = now;
  }
}
