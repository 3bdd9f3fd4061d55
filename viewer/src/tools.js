// SPDX-License-Identifier: Apache-2.0
// tools.js: what stands above the scene: camera, colour, whom to follow, and what is shown.
import { el } from './dom.js';

function toggle(text, on, change, title) {
  const box = el('input', { type: 'checkbox', onchange: () => change(box.checked) });
  box.checked = on;
  return el('label', { title }, box, text);
}

export function makeTools(app, root, fields) {
  const { data, state } = app;
  const { stage } = state;
  const views = [['Front', 'front', '1'], ['Top', 'top', '2'], ['Side', 'side', '3'], ['Iso', 'iso', '4'], ['Fit', 'home', '5']];
  const tools = el('div', { class: 'tools' });
  tools.append(el('span', { class: 'group', role: 'group', 'aria-label': 'camera' },
    ...views.map(([text, name, key]) => el('button', { type: 'button', title: `${text} view (${key})`, 'data-view': name, onclick: () => stage.look(name) }, text))));
  const colour = el('select', { id: 'colour', onchange: () => setColour(colour.value) }, el('option', { value: '' }, 'body'),
    ...fields.map((f) => el('option', { value: f.key }, f.label)));
  if (fields.length) tools.append(el('label', {}, 'Colour', colour));
  const movers = data.bodies.filter((b) => ['rod', 'rigid', 'lagrangian'].includes(b.kind)).slice(0, 200);
  const read = () => (follow.value === '' ? null : follow.value === 'all' ? 'all' : Number(follow.value));
  const follow = el('select', { id: 'follow', onchange: () => { stage.setFollow(read()); stage.fit(); } }, el('option', { value: '' }, 'nothing'),
    el('option', { value: 'all' }, 'all bodies'),
    ...movers.map((b) => el('option', { value: String(b.index) }, b.name)));
  if (stage.extent.travels) { follow.value = 'all'; stage.follow = 'all'; }
  if (!app.analysis) tools.append(el('label', {}, 'Follow', follow));
  const parts = [];
  const show = (text, group, title) => parts.push(toggle(text, group.visible, (on) => { group.visible = on; stage.refresh(); app.drawLegend(); }, title));
  if (stage.tubes.hasDirectors) parts.push(toggle('Directors', false, (on) => { stage.tubes.directors.visible = on; stage.refresh(); }, 'the axes d1, d2, d3 of rods'));
  if (!app.analysis) show('Trails', stage.trails.group, 'ways of points up to now');
  else show('Ghosts', stage.ghosts.group, 'shapes at other moments');
  if (stage.joints.joints.length) show('Joints', stage.joints.group);
  if (stage.marks.rows.length) show('Impacts', stage.marks.group, 'where they were, and their impulses');
  if (stage.loads.items.length) show('Loads', stage.loads.group, 'forces and moments of the model');
  if (stage.references.items.length) show('Frames', stage.references.group, 'frames of reference');
  if (stage.walls.solids.length) show('Obstacles', stage.walls.group);
  if (state.labels.items.length) parts.push(toggle('Names', state.labels.visible, (on) => { state.labels.visible = on; }));
  show('Grid', stage.ground.group);
  tools.append(el('details', { class: 'menu' }, el('summary', { class: 'button' }, 'Show'), el('div', {}, ...parts)));
  root.append(tools);
  function setColour(key) {
    state.colour = key;
    stage.setField(fields.find((f) => f.key === key) || null);
    app.drawLegend();
  }
  state.setColour = (key) => { colour.value = key; setColour(key); };
  state.setFollow = (index) => { follow.value = index === null ? '' : String(index); stage.setFollow(index); };
}
