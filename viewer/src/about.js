// SPDX-License-Identifier: Apache-2.0
// about.js: what the model says of itself: the comment at its head, up to commands, lists and the first key.

export function about(model) {
  const lines = [];
  const sets = []; // the program notes at the head what --set changed
  for (const line of String(model || '').split('\n')) {
    if (!line.startsWith('#')) break;
    const text = line.slice(1);
    if (/^\s*SPDX-/.test(text)) continue;
    const set = /^\s*--set\s+(.*)$/.exec(text);
    if (set) { sets.push(set[1].replace(/^"(.*)"$/, '$1')); continue; }
    if (/^\s{4,}\S/.test(text) || (/^\s*$/.test(text) && lines.length)) break; // commands are indented; one paragraph is enough
    if (text.trim()) lines.push(text.trim());
  }
  return [...lines, ...(sets.length ? [`Here with ${sets.join(', ')}.`] : [])].join(' ');
}
