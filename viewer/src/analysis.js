// SPDX-License-Identifier: Apache-2.0
// analysis.js: results that are no motion in time. The frames of a load path are its points; those of small motions are one round of each mode after the state they are about (mode k from k to k + 1).
// What is recorded beside them (statics/parameter, modes/frequency) says what a frame is.
import { el } from './dom.js';
import { show } from './numbers.js';

const column = (data, name) => data.plots.find((c) => c.name === name && c.width === 1) || null;

/** null for a motion in time; otherwise {kind, words, describe(t), modes, pace}. */
export function readAnalysis(data) {
  const s = data.page.summary || {};
  const time = data.plotTime;
  const nearest = (t) => { let k = 0; for (let i = 1; i < time.length; i++) if (Math.abs(time[i] - t) < Math.abs(time[k] - t)) k = i; return k; };
  const parameter = column(data, 'statics/parameter');
  if (s.analysis === 'statics' || parameter) {
    const name = (s.parameter && s.parameter.name) || 'parameter';
    const stable = column(data, 'statics/stable');
    const how = (k) => (stable ? (stable.numbers.value(k) > 0 ? ', stable' : ', unstable') : '');
    const of = parameter && s.parameter ? `load path of ${name} from ${show(s.parameter.from)} to ${show(s.parameter.reached ?? s.parameter.to)}` : 'equilibrium';
    const list = (c, otherwise) => Array.from({ length: time.length }, (_, k) => (c ? c.numbers.value(k) : otherwise));
    const path = parameter && time.length > 1
      ? { name, parameter: list(parameter, 0), stable: list(stable, 1).map((x) => x > 0), branch: list(column(data, 'statics/branch'), 0) } : null;
    return {
      kind: 'statics', words: of, pace: 'points/s', modes: [], path,
      describe: (t) => { const k = nearest(t); return `${parameter ? `${name} = ${show(parameter.numbers.value(k))}` : 'equilibrium'}${how(k)} (${k + 1} of ${time.length})`; },
    };
  }
  const frequency = column(data, 'modes/frequency');
  if (s.analysis === 'modes' || frequency) {
    const number = column(data, 'modes/number');
    const c = s.critical && Number.isFinite(s.critical.value) ? `; ${s.critical.kind || 'unstable'} at ${s.critical.parameter} = ${show(s.critical.value)} and above` : '';
    const modes = (s.modes || []).map((m, i) => ({ number: i + 1, frequency: m.frequency, growth: m.growth }));
    const growing = modes.reduce((best, m) => (m.growth > 1e-9 * Math.hypot(m.frequency, m.growth) && (!best || m.growth > best.growth) ? m : best), null);
    return {
      first: growing ? growing.number : 1, // what grows is what matters
      kind: 'modes', words: `small motions about the ${s.about === 'steady' ? 'steady state' : s.about || 'state'}${s.verdict ? `: ${s.verdict}` : ''}${c}`, pace: 'swings/s', modes,
      describe: (t) => {
        const n = number ? Math.round(number.numbers.value(nearest(t))) : Math.floor(t);
        const m = modes[n - 1];
        const how = m ? kindOf(m).split(':')[0] : '';
        return n < 1 ? 'the state itself' : `mode ${n}${m ? `, ${show(m.frequency)} rad/s${how ? `, ${how}` : ''}` : ''}`;
      },
    };
  }
  return null;
}

function kindOf({ frequency, growth }) {
  const size = Math.hypot(frequency, growth);
  if (growth > 1e-9 * size) return frequency > 0 ? 'flutter: swings and grows' : 'divergence: grows without swinging';
  if (growth < -1e-9 * size) return frequency > 0 ? 'damped' : 'overdamped';
  return '';
}

/** Modes as a table; a row plays its mode over and over. */
export function modesTable(analysis, choose) {
  const rows = analysis.modes.map((m) => el('tr', { tabindex: '0', onclick: () => pick(m.number, true) },
    el('td', { class: 'n' }, String(m.number)), el('td', { class: 'n' }, show(m.frequency, 5)), el('td', { class: 'n' }, show(m.frequency / (2 * Math.PI), 5)), el('td', { class: 'n' }, show(m.growth, 3)), el('td', { class: 'n', title: kindOf(m) }, kindOf(m).split(':')[0])));
  rows.forEach((r, i) => r.addEventListener('keydown', (e) => { if (e.key === 'Enter') pick(i + 1, true); }));
  const pick = (n, play) => { rows.forEach((r, i) => r.classList.toggle('now', i + 1 === n)); choose(n, play); };
  const head = el('tr', {}, ...['mode', 'rad/s', 'Hz', 'growth 1/s', ''].map((t) => el('th', { scope: 'col' }, t)));
  return { table: el('div', { class: 'ledger' }, el('table', {}, el('thead', {}, head), el('tbody', {}, ...rows))), pick };
}
