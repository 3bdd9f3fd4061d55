// SPDX-License-Identifier: Apache-2.0
// legend.js: what the colours mean: a bar with its numbers, or the names of bodies.
import { bodyColour, gradient } from './colours.js';
import { clear, el } from './dom.js';
import { rangeOf } from './fields.js';
import { show, unit } from './numbers.js';

const NAMES = 8;

export function drawLegend(root, stage, dark) {
  clear(root);
  const { data, field } = stage;
  if (field) {
    const { lo, hi, map } = rangeOf(field, data.time.length);
    const bar = el('div', { class: 'bar' });
    bar.style.background = gradient(map);
    root.append(el('b', {}, field.label), field.unit ? el('span', { class: 'unit' }, unit(field.unit)) : '', bar,
      el('div', { class: 'ends' }, el('span', {}, show(lo, 3)), el('span', {}, show((lo + hi) / 2, 3)), el('span', {}, show(hi, 3))));
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
