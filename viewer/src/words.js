// SPDX-License-Identifier: Apache-2.0
// words.js: what the page says about the run: what there is, how it ended, and what was left away to keep the page small.
import { show } from './numbers.js';

const count = (n, one, many = `${one}s`) => (n === 0 ? null : `${n} ${n === 1 ? one : many}`);

export function whatThereIs(data) {
  const of = (kind) => data.bodies.filter((b) => b.kind === kind).length;
  const parts = [count(of('rod'), 'rod'), count(of('rigid'), 'rigid body', 'rigid bodies'), count(of('lagrangian'), 'Lagrangian system'), count(of('field'), 'field'),
    count((data.page.joints || []).length, 'joint'), count((data.page.obstacles || []).length, 'obstacle')];
  return parts.filter(Boolean).join(', ');
}

export function howItWent(data) {
  const s = data.page.summary;
  if (!s) return 'not ended yet';
  const word = { reached: 'ran to the end', 'stopped-by-event': 'stopped by an event', diverged: 'diverged', running: 'not ended yet' }[s.outcome] || s.outcome;
  const drift = s.energy && s.energy.scale > 0 ? `energy kept to ${show(s.energy.drift_max / s.energy.scale, 2)}` : null;
  return [word, s.integrator, drift].filter(Boolean).join(', ');
}

export function whatWasLeftOut(data) {
  const f = data.page.frames;
  if (!f) return 'The results hold no frames yet.';
  const notes = [];
  if (f.kept < f.total) notes.push(`Shows ${f.kept} of ${f.total} frames, so that the page stays small; motion between them is interpolated.`);
  if (f.bits < 32) notes.push(`Places and fields are rounded to ${f.bits === 16 ? '1/65\u202f000' : '1/65\u202f000 and 1/250'} of their range.`);
  if (f.samples < f.total) notes.push(`Curves have ${f.samples} of ${f.total} points.`);
  if (!(data.page.bodies || []).length) notes.push('This version could not read the model: bodies are drawn from what was recorded.');
  return notes.join(' ');
}
