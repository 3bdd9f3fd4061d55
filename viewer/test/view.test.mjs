// SPDX-License-Identifier: Apache-2.0
// view.test.mjs: the page of `zwang view` in a headless browser. ZWANG names the program; ZW_VIEW_QUIET=1 says that the machine is idle, so that times are asserted and not only told.
// Run: ZWANG=build/zwang node --test viewer/test/view.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packages, startBrowser } from './browser.mjs';
import { difference, light, readPng, statistics } from './png.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const zwang = resolve(process.env.ZWANG || join(root, 'build/zwang'));
const quiet = process.env.ZW_VIEW_QUIET === '1';
const scratch = mkdtempSync(join(tmpdir(), 'zwang-view-test-'));
let browser;

function run(model, ...options) {
  const name = `${model.replace(/.*\//, '').replace('.yaml', '')}${options.length ? `-${options.join('').replace(/\W/g, '')}` : ''}`;
  const dir = join(scratch, name);
  execFileSync(zwang, ['run', model, '-o', dir, '-q', '--no-report', ...options]);
  const page = join(scratch, `${name}.html`);
  execFileSync(zwang, ['view', dir, '-o', page, '--page', join(packages, 'viewer.html')], { stdio: ['ignore', 'ignore', 'ignore'] });
  return page;
}
const example = (name, ...options) => run(join(root, 'examples', `${name}.yaml`), ...options);
const at = (page, part) => page.evaluate((u) => { const { player } = window.zwangView; player.set(player.start + u * player.duration); }, part);
const now = (page) => page.evaluate(() => window.zwangView.player.t);
const settle = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
const shot = async (page) => { await settle(page); return readPng(await page.screenshot()); };
const boxOf = async (page, selector) => { const b = await page.locator(selector).first().boundingBox(); return { x: Math.ceil(b.x), y: Math.ceil(b.y), width: Math.floor(b.width) - 1, height: Math.floor(b.height) - 1 }; };
const clean = (page) => { assert.deepEqual(page.errors, []); assert.deepEqual(page.asked, []); };

before(async () => { browser = await startBrowser(); });
after(async () => { if (browser) await browser.close(); rmSync(scratch, { recursive: true, force: true }); });

test('arc beam with 1000 frames: opens fast, is lit, and everything works', async (t) => {
  const page = await browser.open(example('arc-beam', '--set', 'record.frames=1000'));
  const first = await page.evaluate(() => window.zwangView.state.stage.firstAt);
  t.diagnostic(`first frame ${first.toFixed(0)} ms after the page was asked for`);
  assert.ok(first < (quiet ? 2000 : 20000), `first frame after ${first} ms`);
  assert.equal(await page.locator('h1').textContent(), 'Free flight of a bent beam');
  const stage = await boxOf(page, '.stage canvas');

  await at(page, 0.1);
  const one = await shot(page);
  const lit = statistics(one, { ...stage, x: stage.x + 20, y: stage.y + 70, width: stage.width - 220, height: stage.height - 220 });
  t.diagnostic(`tube: ${(100 * lit.share).toFixed(1)} % of the scene, mean light ${lit.mean.toFixed(0)}, nearly black ${(100 * lit.black).toFixed(1)} %`);
  assert.ok(lit.share > 0.02 && lit.share < 0.5, `share ${lit.share}`);
  assert.ok(lit.mean > 80, `mean light ${lit.mean}`); // 114 measured
  assert.ok(lit.black < 0.02, `black ${lit.black}`);

  const inward = await page.evaluate(() => { // triangles whose winding disagrees with their normals are lit from inside
    const g = window.zwangView.state.stage.tubes.mesh.geometry;
    const [p, n, i] = [g.attributes.position.array, g.attributes.normal.array, g.index.array];
    let wrong = 0;
    for (let k = 0; k < i.length; k += 3) {
      const [a, b, c] = [3 * i[k], 3 * i[k + 1], 3 * i[k + 2]];
      const e = [0, 1, 2].map((j) => p[b + j] - p[a + j]);
      const f = [0, 1, 2].map((j) => p[c + j] - p[a + j]);
      const dot = (e[1] * f[2] - e[2] * f[1]) * n[a] + (e[2] * f[0] - e[0] * f[2]) * n[a + 1] + (e[0] * f[1] - e[1] * f[0]) * n[a + 2];
      wrong += dot < 0;
    }
    return wrong;
  });
  assert.equal(inward, 0);

  await t.test('slider', async () => {
    await page.locator('#slider').fill('6000');
    assert.ok(Math.abs(await now(page) - 0.3) < 1e-6);
    assert.ok(difference(one, await shot(page), stage) > 0.01);
    assert.match(await page.locator('#now').textContent(), /0\.3000? of 0\.5/);
  });
  await t.test('keyboard', async () => {
    await page.locator('.stage canvas').focus();
    await page.keyboard.press('Home');
    assert.equal(await now(page), 0);
    await page.keyboard.press('ArrowRight');
    const step = await now(page);
    assert.ok(Math.abs(step - 0.5 / 999) < 1e-4, `one frame is ${step}`);
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await now(page), await page.evaluate(() => window.zwangView.data.time[10]));
    await page.keyboard.press('End');
    assert.equal(await now(page), 0.5);
    const views = [];
    for (const key of ['1', '2', '3', '4', '5']) {
      await page.keyboard.press(key);
      views.push(await page.evaluate(() => window.zwangView.state.stage.camera.position.clone().sub(window.zwangView.state.stage.controls.target).normalize().toArray().map((x) => x.toFixed(2)).join()));
    }
    assert.equal(new Set(views.slice(0, 4)).size, 4, views.join(' | '));
    assert.match(views[0], /^-?0\.00,-1\.00,/);
    assert.match(views[1], /,1\.00$/);
  });
  await t.test('play and pause', async () => {
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.zwangView.player.t > 0.002);
    assert.equal(await page.locator('#play').textContent(), 'Pause');
    await page.locator('#play').click();
    const t1 = await now(page);
    await page.waitForTimeout(150);
    assert.equal(await now(page), t1);
  });
  await t.test('colour by a field, with its legend', async () => {
    await at(page, 0.5);
    const a = await shot(page);
    assert.match(await page.locator('#legend').textContent(), /Bending curvature/);
    const choices = await page.locator('#colour option').allTextContents();
    for (const c of ['Speed', 'Twist', 'Tension', 'Stretch', 'Elastic energy per length']) assert.ok(choices.includes(c), `${c} in ${choices}`);
    await page.locator('#colour').selectOption('speed');
    assert.match(await page.locator('#legend').textContent(), /Speed.*m\/s/);
    assert.ok(difference(a, await shot(page), stage) > 0.01);
    const bar = await boxOf(page, '#legend .bar');
    const p = await shot(page);
    assert.ok(Math.abs(light(p.at(bar.x + 3, bar.y + 4)) - light(p.at(bar.x + bar.width - 3, bar.y + 4))) > 60);
    await page.locator('#colour').selectOption('bending');
  });
  await t.test('plots follow the slider, and a click goes there', async () => {
    const over = page.locator('.plot .u-over').first();
    const box = await over.boundingBox();
    for (const part of [0.25, 0.75]) {
      await at(page, part);
      await settle(page);
      const line = await page.locator('.plot .now').first().boundingBox();
      assert.ok(Math.abs(line.x + 1 - (box.x + part * box.width)) < 3, `cursor at ${line.x - box.x} of ${box.width}`);
    }
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 20);
    assert.ok(Math.abs(await now(page) - 0.25) < 0.004);
    const numbers = await page.locator('.plot').first().locator('output').allTextContents();
    assert.ok(numbers.length >= 3 && numbers.every((n) => /\d/.test(n)), numbers.join());
  });
  await t.test('numbers on axes are not clipped', async () => {
    const p = await shot(page);
    const plots = await page.locator('.plot canvas').all();
    for (const c of plots.slice(0, 3)) {
      const b = await c.boundingBox();
      if (b.y + b.height > 990) continue;
      for (let y = b.y + 2; y < b.y + b.height - 2; y++) assert.ok(light(p.at(b.x, y)) > 235, `ink at the left edge of a plot, y ${y}`);
    }
  });
  await t.test('directors, trails, dark and light', async () => {
    const a = await shot(page);
    await page.locator('summary', { hasText: 'Show' }).click();
    await page.getByText('Directors', { exact: true }).click();
    await page.getByText('Trails', { exact: true }).click();
    await page.locator('summary', { hasText: 'Show' }).click();
    assert.ok(difference(a, await shot(page), stage) > 0.001);
    await page.locator('#theme').click();
    const d = await shot(page);
    assert.ok(light(d.at(stage.x + 12, stage.y + stage.height - 140)) < 60);
    await page.locator('#theme').click();
  });
  clean(page);
  await page.close();
});

test('events: the table jumps to its moment, arrows appear', async () => {
  const page = await browser.open(example('cradle-form'));
  await page.getByRole('tab', { name: /Events/ }).click();
  const rows = page.locator('.ledger tbody tr');
  assert.ok(await rows.count() > 3);
  await rows.nth(3).click();
  const time = await page.evaluate(() => window.zwangView.player.t);
  assert.ok(time > 0 && time < 2);
  assert.equal(await page.locator('.ledger tr.now').count(), 1);
  const placed = await page.evaluate(() => window.zwangView.state.stage.marks.rows.map((r) => r.place));
  assert.ok(placed.length > 3);
  for (const p of placed) assert.ok(Math.abs(p[2] + 0.5) < 0.02 && p[0] > -0.01 && p[0] < 0.41, `an impact at ${p}`); // between the balls, at rest height
  clean(page);
  await page.close();
});

test('every example that is looked at opens clean at three sizes', async () => {
  for (const name of ['chopstick-form', 'sleigh-and-rod', 'tug']) {
    const file = example(name, ...(name === 'tug' ? ['--set', 'run.until=0.3'] : name === 'sleigh-and-rod' ? ['--set', 'run.until=0.3'] : []));
    for (const [width, height] of [[1600, 1000], [1000, 700], [390, 800]]) {
      const page = await browser.open(file, { width, height });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${name} is ${wide} wide at ${width}`);
      const stage = await boxOf(page, '.stage');
      const s = statistics(await shot(page), { ...stage, y: stage.y + 60, height: Math.min(stage.height, height - stage.y) - 160 });
      assert.ok(s.share > 0.001, `${name} at ${width}: nothing is seen`);
      clean(page);
      await page.close();
    }
  }
});

test('narrow screen: stacked, large enough to touch', async () => {
  const page = await browser.open(example('cradle-form', '--set', 'run.until=0.5'), { width: 390, height: 800 });
  const [stage, time, side] = await Promise.all(['.stage', '.time', 'aside'].map((s) => page.locator(s).boundingBox()));
  assert.ok(stage.y + stage.height <= time.y + 1 && time.y < side.y);
  assert.ok(stage.width >= 388);
  for (const b of await page.locator('button:visible').all()) {
    const box = await b.boundingBox();
    assert.ok(box.height >= 30, `a button is ${box.height} high`);
  }
  const camera = () => page.evaluate(() => window.zwangView.state.stage.camera.position.toArray());
  const a = await camera();
  await page.mouse.move(200, stage.y + 250);
  await page.mouse.down();
  await page.mouse.move(260, stage.y + 270, { steps: 4 });
  await page.mouse.up();
  assert.notDeepEqual(await camera(), a);
  clean(page);
  await page.close();
});

test('load paths and modes', async () => {
  const path = join(scratch, 'elastica');
  const shapes = join(scratch, 'column');
  const views = [];
  for (const [verb, model, dir] of [['statics', 'elastica', path], ['modes', 'becks-column', shapes]]) {
    execFileSync(zwang, [verb, join(root, 'examples', `${model}.yaml`), '-o', dir, '-q']);
    views.push(`${dir}.html`);
    execFileSync(zwang, ['view', dir, '-o', `${dir}.html`, '--page', join(packages, 'viewer.html')], { stdio: ['ignore', 'ignore', 'ignore'] });
  }
  let page = await browser.open(views[0]);
  await page.locator('#slider').fill('10000');
  assert.match(await page.locator('#now').textContent(), /^P = 10, stable/);
  const curves = page.locator('.plot', { hasText: 'Probe tip' });
  assert.match(await curves.textContent(), /over P/);
  const dot = curves.locator('.dot').first();
  const right = Number(await dot.getAttribute('cx'));
  await page.locator('#slider').fill('0');
  const left = Number(await dot.getAttribute('cx'));
  assert.ok(right - left > 200, `the dot went from ${left} to ${right}`);
  const box = await curves.locator('svg').boundingBox();
  await page.mouse.click(box.x + (left + right) / 2, box.y + 40); // the middle of the path
  assert.match(await page.locator('#now').textContent(), /^P = 5/);
  const arrow = await page.evaluate(() => { const m = window.zwangView.state.stage.loads.items[0].mesh; return { visible: m.visible, down: m.quaternion.x ** 2 + m.quaternion.y ** 2 > 0.99 }; });
  assert.deepEqual(arrow, { visible: true, down: true }); // a dead load that pulls down
  assert.match(await page.locator('#legend').textContent(), /load tip.*clamped.*equilibria on the way/);
  clean(page);
  await page.close();
  page = await browser.open(views[1]);
  assert.match(await page.locator('header p').first().textContent(), /flutter at P = 20\.06/);
  assert.match(await page.locator('.about').textContent(), /^Beck's column: a cantilever pushed at its tip/);
  await page.waitForFunction(() => window.zwangView.player.playing && window.zwangView.player.t > 1.05); // the first mode plays by itself
  const ghosts = await page.evaluate(() => ['rest', 'swing'].map((k) => window.zwangView.state.stage.ghosts[k].geometry.attributes.position.count));
  assert.ok(ghosts[0] > 20 && ghosts[1] > 8 * ghosts[0], ghosts.join());
  await page.locator('.ledger tbody tr').nth(1).click();
  await page.waitForFunction(() => window.zwangView.player.t > 2.01);
  await page.keyboard.press('Space');
  assert.match(await page.locator('#now').textContent(), /^mode 2, 5\.51/);
  clean(page);
  await page.close();
});

test('texts full of markup, quotes and emoji are texts', async () => {
  const model = join(scratch, 'odd.yaml');
  const title = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2"> <!-- "quotes" 'single' & &amp; \\u003c 😀 \u2028 é`;
  writeFileSync(model, readFileSync(join(root, 'examples/arc-beam.yaml'), 'utf8').replace(/^title:.*$/m, () => `title: ${JSON.stringify(title).replace('\u2028', '\\u2028')}`).replace('frames: 200', 'frames: 20')
    + '# </script><script>window.hacked=3</script> <!-- <script> 😀\n');
  const page = await browser.open(run(model));
  assert.equal(await page.locator('h1').textContent(), title);
  assert.equal(await page.title(), title.replace(/[\t\n\f\r ]+/g, ' '));
  await page.getByRole('tab', { name: 'Model' }).click();
  assert.match(await page.locator('pre').textContent(), /<\/script><script>window\.hacked=3/);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img').count(), 0);
  clean(page);
  await page.close();
});

test('frames of reference, and wishes behind the #', async () => {
  const file = example('spin-up', '--set', 'run.until=2');
  const page = await browser.open(file);
  const frame = () => page.evaluate(() => window.zwangView.state.stage.references.items.map((i) => i.lines.matrix.toArray().map((x) => x.toFixed(3)).join())[0]);
  const a = await frame();
  await at(page, 1);
  assert.notEqual(await frame(), a);
  assert.match(await page.locator('#legend').textContent(), /frame hub/);
  clean(page);
  await page.close();
  const other = await browser.open(`${file}#t=1&view=top&colour=speed&dark=1`);
  const seen = await other.evaluate(() => { const { player, state } = window.zwangView; return [player.t, state.stage.view, state.colour, state.dark]; });
  assert.deepEqual(seen, [1, 'top', 'speed', true]);
  clean(other);
  await other.close();
});

test('every form and obstacle, moving ones too', async () => {
  const page = await browser.open(run(join(root, 'viewer/test/obstacles.yaml')));
  const found = await page.evaluate(() => {
    const s = window.zwangView.state.stage;
    return { kinds: s.rigids.kinds.size, walls: s.walls.solids.length, moving: s.walls.moving.length };
  });
  assert.ok(found.kinds >= 7 && found.walls >= 5 && found.moving >= 1, JSON.stringify(found));
  const a = await page.evaluate(() => window.zwangView.state.stage.walls.moving[0].object.matrix.toArray());
  await at(page, 1);
  assert.notDeepEqual(await page.evaluate(() => window.zwangView.state.stage.walls.moving[0].object.matrix.toArray()), a);
  const stage = await boxOf(page, '.stage canvas');
  assert.ok(statistics(await shot(page), stage).share > 0.001);
  clean(page);
  await page.close();
});

test('a hundred rods: under 20 MB, and fluent', async (t) => {
  const model = join(scratch, 'many.yaml');
  const rods = Array.from({ length: 100 }, (_, i) => `  r${i}: {rod: {length: 1, elements: 50, at: [${(i % 10) * 0.3}, ${Math.floor(i / 10) * 0.3}, 0], along: [0, 0, 1], up: [1, 0, 0], section: {round: 0.015}, `
    + `material: {density: 1000, young: 1e6, poisson: 0.4}, velocity: ['${1 + 0.02 * i}*s^2', 0, 0]}}`);
  writeFileSync(model, `zwang: 1\ntitle: A hundred rods\nbodies:\n${rods.join('\n')}\nrun: {until: 0.5}\nrecord: {frames: 300, fields: [position, orientation, velocity, curvature]}\n`);
  const file = run(model);
  assert.ok(statSync(file).size <= 20e6, `${statSync(file).size} bytes`);
  const page = await browser.open(file);
  assert.match(await page.locator('header p').first().textContent(), /of 300 frames/);
  const r = await page.evaluate(() => new Promise((done) => {
    const { player, state: { stage } } = window.zwangView;
    const from = stage.drawn;
    const begun = performance.now();
    const update = stage.setTime.bind(stage);
    let spent = 0;
    let n = 0;
    stage.setTime = (x) => { const a = performance.now(); update(x); spent += performance.now() - a; n++; };
    player.play();
    setTimeout(() => { const out = { fps: (1000 * (stage.drawn - from)) / (performance.now() - begun), update: spent / n, haste: stage.haste }; player.pause(); done(out); }, 5000);
  }));
  t.diagnostic(`${r.fps.toFixed(1)} frames per second in software (haste ${r.haste}), ${r.update.toFixed(1)} ms of them for the update`);
  if (quiet) assert.ok(r.fps >= 30, `${r.fps} frames per second`);
  assert.ok(r.update < (quiet ? 10 : 60));
  await settle(page);
  assert.equal(await page.evaluate(() => window.zwangView.state.stage.haste), 0); // at rest everything is drawn
  clean(page);
  await page.close();
});
