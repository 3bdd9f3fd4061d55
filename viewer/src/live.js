// SPDX-License-Identifier: Apache-2.0
// live.js: a page that `zwang view --live` serves follows its run: every second it asks whether there is more, and then takes the whole page again and shows what it holds in place of what it showed.
// Camera, colour, time and tab stay; whoever looks at the last moment keeps looking at the last moment. A page that takes long to build asks less often.
import { App } from './app.js';
import { readPage } from './data.js';
import { el } from './dom.js';

export function follow(holder, every = 1000) {
  let stamp = null;
  let words = 'live';
  let wait = every;
  const tell = (text) => {
    words = text;
    let mark = document.getElementById('live');
    if (!mark) {
      mark = el('span', { id: 'live', class: 'live', role: 'status' });
      document.querySelector('header h1')?.after(mark);
    }
    mark.textContent = text;
    mark.dataset.on = String(text === 'live');
  };
  const renew = async () => {
    const answer = await fetch('/', { cache: 'no-store' });
    if (!answer.ok) return false;
    const began = performance.now();
    const doc = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!doc.getElementById('zwang-data')) return false;
    const keep = holder.app.snapshot();
    if (!holder.ever) keep.atEnd = true; // whoever opens a live page wants to see what is now
    holder.ever = true;
    holder.app.dispose();
    holder.app = new App(document.getElementById('app'), readPage(doc), {}, keep);
    wait = Math.max(every, 4 * (performance.now() - began));
    return true;
  };
  const look = async () => {
    try {
      const now = await (await fetch('/stamp', { cache: 'no-store' })).text();
      if (now !== stamp && (stamp === null || await renew())) stamp = now;
      tell(/ over\s*$/.test(now) && now === stamp ? 'the run is over' : 'live');
      if (words !== 'live') wait = 4 * every;
    } catch {
      tell('no longer served');
    }
    setTimeout(look, wait);
  };
  tell('live');
  look();
}
