// SPDX-License-Identifier: Apache-2.0
// legend.js: what the colours mean: a bar with its numbers, or the names of bodies.
import { bodyColour, gradient } from './colours.js';
import { clear, el } from './dom.js';
import { rangeOf } from './fields.js';
import { show, unit } from './numbers.js';

const NAMES = 8;

/** What else is drawn, in words: only what there is, and only what is shown. */
export function symbols(stage) {
  const list = [];
  const strongest = stage.marks.rows.length ? `${show(stage.marks.most, 2)} N s` : '';
  if (stage.marks.rows.length && stage.marks.group.visible) list.push(['hit', `impulse of an impact, the longest ${strongest}`]);
  if (stage.loads.items.length && stage.loads.group.visible) {
    const names = stage.loads.items.length < 3 ? stage.loads.items.map((i) => i.one.name).join(', ') : `${stage.loads.items.length} of them`;
    list.push(['load', `load ${names}`]);
  }
  if (stage.joints.group.visible) {
    const kinds = new Set(stage.joints.joints.map((j) => j.shape));
    if (kinds.has('cube')) list.push(['cube', 'clamped']);
    if (kinds.has('pin')) list.push(['pin', 'hinge']);
    if (kinds.has('ball')) list.push(['joint', 'joint']);
  }
  if (stage.ghosts.kind === 'modes') list.push(['ghost', 'at rest, and the whole swing']);
  if (stage.ghosts.kind === 'statics' && stage.data.time.length > 1) list.push(['ghost', 'equilibria on the way']);
  if (stage.trails.group.visible && stage.trails.tracks.length) list.push(['trail', 'where it has been']);
  if (stage.references.items.length) list.push(['frame', `frame ${stage.references.items.map((i) => i.one.name).slice(0, 3).join(', ')}`]);
  return list;
}

export function drawLegend(root, stage, dark) {
  clear(root);
  drawColours(root, stage, dark);
  const list = symbols(stage);
  if (list.length) root.append(el('ul', { class: 'symbols' }, ...list.map(([kind, text]) => el('li', {}, el('i', { class: kind }), text))));
}

/** The numbers below a bar of colours. */
export const endsOf = (lo, hi, even) => (even ? [`${show(lo, 3)} everywhere`] : [lo, (lo + hi) / 2, hi].map((x) => show(x, 3)));

function drawColours(root, stage, dark) {
  const { data, field } = stage;
  if (field) {
    const { lo, hi, map, even } = rangeOf(field, data.time.length);
    const bar = el('div', { class: 'bar' });
    bar.style.background = gradient(map);
    root.append(el('b', {}, field.label), field.unit ? el('span', { class: 'unit' }, unit(field.unit)) : '', bar,
      el('div', { class: 'ends' }, ...endsOf(lo, hi, even).map((t) => el('span', {}, t))));
    return;
  }
  const shown = data.bodies.filter((b) => b.kind !== 'field');
  for (const b of shown.slice(0, NAMES)) {
    const swatch = el('i', {});
    swatch.style.background = bodyColour(b.index, dark);
    root.append(el('span', { class: 'name' }, swatch, b.name));
  }
  if (shown.length > NAMES) root.append(el('span', { class: 'name more' }, `and ${shown.length - NAMES} more`));
}
