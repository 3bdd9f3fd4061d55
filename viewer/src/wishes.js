// SPDX-License-Identifier: Apache-2.0
// wishes.js: what is asked for behind the # of the address: view.html#t=0.3&view=top&colour=speed&dark=1. Everything may be left out; what makes no sense is ignored.

export function wishes(hash) {
  const out = {};
  for (const part of String(hash || '').replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    const key = at < 0 ? part : part.slice(0, at);
    if (!key) continue;
    try { out[key] = at < 0 ? true : decodeURIComponent(part.slice(at + 1)); } catch { /* not an address that anybody wrote on purpose */ }
  }
  return out;
}

/** A time: a number, 'end', or a part of the whole such as 30%. */
export function wantedTime(text, player) {
  if (text === undefined || text === true) return null;
  if (text === 'start') return player.start;
  if (text === 'end') return player.end;
  const part = /^([0-9.]+)%$/.exec(text);
  const value = part ? player.start + (Number(part[1]) / 100) * player.duration : Number(text);
  return Number.isFinite(value) ? value : null;
}

/** A direction to look from: its name, or degrees around and above, such as 30,20. */
export function wantedView(text) {
  if (text === undefined || text === true) return null;
  if (['front', 'top', 'side', 'iso', 'home', 'fit'].includes(text)) return text === 'fit' ? 'home' : text;
  const angles = String(text).split(',').map(Number);
  if (angles.length !== 2 || !angles.every(Number.isFinite)) return null;
  const [around, above] = [angles[0], Math.max(-89.9, Math.min(89.9, angles[1]))].map((d) => (d * Math.PI) / 180);
  return [Math.sin(around) * Math.cos(above), -Math.cos(around) * Math.cos(above), Math.sin(above)]; // 0,0 is the front
}
