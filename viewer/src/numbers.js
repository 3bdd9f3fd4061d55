// SPDX-License-Identifier: Apache-2.0
// numbers.js: numbers for people: a few digits, a real minus, powers of ten where they help.

const raised = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const power = (e) => String(e).split('').map((c) => raised[c] || '').join('');

export const powerOfTen = (e) => (e === 0 ? '1' : e === 1 ? '10' : `10${power(e)}`);

export function show(x, digits = 4) {
  if (x === null || Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  if (x === 0) return '0';
  const size = Math.abs(x);
  let text;
  if (size >= 1e5 || size < 1e-3) {
    const [m, e] = size.toExponential(Math.max(digits - 2, 0)).split('e');
    text = `${m.includes('.') ? m.replace(/\.?0+$/, '') : m}·10${power(Number(e))}`;
  } else {
    text = size.toPrecision(digits);
    if (text.includes('e')) text = String(Number(text));
    if (text.includes('.')) text = text.replace(/\.?0+$/, '');
  }
  return (x < 0 ? '−' : '') + text;
}

/** Units as people write them: m/s^2 and N m become m/s² and N m with thin spaces. */
export const unit = (u) => (u ? u.replace(/\^(-?\d+)/g, (_, e) => power(e)).replace(/ /g, '\u202f') : '');
export const withUnit = (x, u, digits) => (u ? `${show(x, digits)}\u202f${unit(u)}` : show(x, digits));

/** The numbers on a scale: as many digits as the step between them asks for. */
export function ticks(values) {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0] || 1);
  const most = Math.max(...values.map(Math.abs), step);
  if (most >= 1e5 || most < 1e-3) {
    const digits = Math.max(1, Math.min(6, Math.ceil(Math.log10(most / step) + 1e-9) + 1));
    return values.map((v) => (Math.abs(v) < step * 1e-6 ? '0' : show(v, digits + 1)));
  }
  let places = 0;
  while (places < 8 && Math.abs(step * 10 ** places - Math.round(step * 10 ** places)) > 1e-6 * step * 10 ** places) places++;
  return values.map((v) => (Math.abs(v) < step * 1e-6 ? '0' : v.toFixed(places).replace('-', '−')));
}

/** 1, 2 or 5 times a power of ten, not above x. */
export function round125(x) {
  const e = 10 ** Math.floor(Math.log10(x));
  return x >= 5 * e ? 5 * e : x >= 2 * e ? 2 * e : e;
}
