// SPDX-License-Identifier: Apache-2.0
// time.js: the row below the scene: play, slider with the moments of events, what moment it is, how fast, and whether it begins again.
import { el } from './dom.js';
import { show, withUnit } from './numbers.js';

export function makeTime(app) {
  const { data, player, ledger, analysis, state } = app;
  const slider = el('input', { type: 'range', min: '0', max: '10000', step: '1', 'aria-label': 'time', id: 'slider' });
  const out = el('output', { id: 'now' });
  const play = el('button', { type: 'button', class: 'play', id: 'play', onclick: () => player.toggle() }, 'Play');
  const nameOf = (s) => (analysis ? `${show(s, 2)} ${analysis.pace}` : data.timeUnit === 's' ? (s === 1 ? '1× real time' : `${show(s, 2)}×`) : `${show(s, 2)} per second`);
  const speed = el('select', { 'aria-label': 'speed', id: 'speed', title: 'speed of playing, times real time (+ and −)', onchange: () => { player.speed = Number(speed.value); } },
    ...player.speeds.list.map((s) => el('option', { value: String(s) }, nameOf(s))));
  speed.value = String(player.speed);
  const loop = el('button', { type: 'button', 'aria-pressed': 'true', id: 'loop', title: 'begin again at the end (l)', onclick: () => state.setLoop(!player.loop) }, 'Loop');
  state.setLoop = (on) => { player.loop = on; loop.setAttribute('aria-pressed', String(on)); };
  state.setSpeed = (s) => {
    if (![...speed.options].some((o) => o.value === String(s))) speed.append(el('option', { value: String(s) }, nameOf(s)));
    player.speed = s;
    speed.value = String(s);
  };
  const at = (t) => (player.duration > 0 ? (t - player.start) / player.duration : 0);
  slider.addEventListener('input', () => { player.pause(); player.set(player.start + (player.duration * Number(slider.value)) / 10000); });
  const ticks = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  ticks.setAttribute('viewBox', '0 0 1000 6');
  ticks.setAttribute('preserveAspectRatio', 'none');
  for (const t of new Set(ledger.slice(0, 600).map((r) => r.time))) {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    for (const [k, v] of Object.entries({ x1: 1000 * at(t), x2: 1000 * at(t), y1: 0, y2: 6 })) line.setAttribute(k, v);
    ticks.append(line);
  }
  player.subscribe((t, what) => {
    slider.value = String(Math.round(10000 * at(t)));
    const [now, of] = describe(app, t).split(/(?= of )/);
    out.replaceChildren(now, ...(of ? [el('span', { class: 'of' }, of)] : []));
    if (what === 'play') play.textContent = player.playing ? 'Pause' : 'Play';
  });
  state.faster = (n) => {
    const { list } = player.speeds;
    const i = Math.min(Math.max(list.indexOf(player.speed) + n, 0), list.length - 1);
    state.setSpeed(list[i]);
  };
  return el('div', { class: 'time' }, play, el('div', { class: 'track' }, slider, ticks), out, speed, loop);
}

/** The moment in words: "t = 0.300 of 0.5 s", "P = 3, stable (7 of 21)", "mode 2, 5.51 rad/s". */
export function describe({ data, player, analysis }, t) {
  if (analysis) return analysis.describe(t);
  const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(Math.max(player.duration, 1e-30) / 1000))));
  return `${data.timeUnit === 's' ? 't' : 'parameter'} = ${t.toFixed(digits).replace('-', '−')} of ${withUnit(player.end, data.timeUnit)}`;
}
