// SPDX-License-Identifier: Apache-2.0
// dom.js: elements. Texts go in as text, never as markup: whatever a model calls its bodies stays a name.

export function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) {
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v !== null && v !== undefined) e.setAttribute(k, v);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

export const clear = (e) => { e.replaceChildren(); return e; };
