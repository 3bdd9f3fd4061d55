// SPDX-License-Identifier: Apache-2.0
// keys.js: the keyboard. What is typed into a field stays there.

export function listenToKeys(player, stage, actions) {
  const listen = (e) => {
    const tag = e.target.tagName;
    if (e.ctrlKey || e.metaKey || e.altKey || tag === 'SELECT' || tag === 'TEXTAREA' || (tag === 'INPUT' && e.target.type !== 'range' && e.target.type !== 'checkbox')) return;
    const views = ['front', 'top', 'side', 'iso', 'home'];
    const key = e.key;
    if (key === ' ') player.toggle();
    else if (key === 'ArrowRight') player.step(e.shiftKey ? 10 : 1);
    else if (key === 'ArrowLeft') player.step(e.shiftKey ? -10 : -1);
    else if (key === 'Home') { player.pause(); player.set(player.start); } else if (key === 'End') { player.pause(); player.set(player.end); } else if (key === '+' || key === '=') actions.faster(1);
    else if (key === '-') actions.faster(-1);
    else if (key === 'l') actions.loop();
    else if (key === 'd') actions.theme();
    else if (stage && key >= '1' && key <= '5') actions.look(views[Number(key) - 1]);
    else if (key === '?') actions.help();
    else return;
    e.preventDefault();
  };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}
