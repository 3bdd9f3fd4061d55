// SPDX-License-Identifier: Apache-2.0
// picture.test.mjs: zwang view --png, --gif, --mp4: size, light, what the options change, and what is said where something is missing.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packages } from './browser.mjs';
import { difference, readPng, statistics } from './png.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const zwang = resolve(process.env.ZWANG || join(root, 'build/zwang'));
const scratch = mkdtempSync(join(tmpdir(), 'zwang-picture-test-'));
const page = ['--page', join(packages, 'viewer.html')];
const at = (name) => join(scratch, name);
const view = (dir, ...words) => spawnSync(zwang, ['view', at(dir), ...page, ...words], { encoding: 'utf8', env: { ...process.env, TMPDIR: at('tmp') } });
const png = (dir, name, ...words) => {
  const done = view(dir, '--png', at(name), ...words);
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stdout, `${at(name)}\n`);
  return readPng(readFileSync(at(name)));
};

before(() => {
  execFileSync('mkdir', [at('tmp')]);
  execFileSync(zwang, ['run', join(root, 'examples/arc-beam.yaml'), '-o', at('arc'), '-q', '--no-report']);
  execFileSync(zwang, ['modes', join(root, 'examples/becks-column.yaml'), '-o', at('beck'), '-q', '--no-report', '--set', 'P=22']);
});
after(() => rmSync(scratch, { recursive: true, force: true }));

test('a picture has its size, light, title and legend, and options change it', () => {
  const whole = { x: 0, y: 0, width: 639, height: 399 };
  const one = png('arc', 'one.png', '--size', '640x400', '--time', '0.1');
  assert.deepEqual([one.width, one.height], [640, 400]);
  const tube = statistics(one, { x: 40, y: 60, width: 560, height: 240 });
  assert.ok(tube.share > 0.03 && tube.mean > 70 && tube.black < 0.02, JSON.stringify(tube));
  const bar = statistics(one, { x: 11, y: 340, width: 132, height: 50 });
  assert.ok(bar.share > 0.1, `a bar of colours: ${bar.share}`);
  const ink = statistics(one, { x: 0, y: 0, width: 300, height: 30 }, 0);
  assert.ok(ink.share > 0);
  assert.ok(difference(one, png('arc', 'two.png', '--size', '640x400', '--time', '60%'), whole) > 0.02);
  assert.ok(difference(one, png('arc', 'top.png', '--size', '640x400', '--time', '0.1', '--camera', '40,60', '--colour', 'speed', '--dark'), whole) > 0.5);
  assert.deepEqual(readdirSync(at('tmp')), [], 'nothing is left behind');
});

test('a mode as a GIF plays one swing', () => {
  const done = view('beck', '--gif', at('mode.gif'), '--size', '320x240', '--time', '1', '--seconds', '1', '--fps', '10');
  assert.equal(done.status, 0, done.stderr);
  const file = readFileSync(at('mode.gif'));
  assert.equal(file.toString('latin1', 0, 6), 'GIF89a');
  assert.deepEqual([file.readUInt16LE(6), file.readUInt16LE(8)], [320, 240]);
  let frames = 0;
  for (let i = 0; i + 1 < file.length; i++) frames += file[i] === 0x21 && file[i + 1] === 0xf9 && file[i + 2] === 4;
  assert.equal(frames, 10);
});

test('what is wrong or missing is said', () => {
  const wrong = (code, pattern, ...words) => { const done = view('arc', ...words); assert.equal(done.status, code, done.stderr); assert.match(done.stderr, pattern); };
  wrong(64, /--size: 'big' is not a size/, '--png', at('x.png'), '--size', 'big');
  wrong(64, /--time is about pictures/, '--time', '1');
  wrong(64, /--seconds: '-1' is not a duration/, '--gif', at('x.gif'), '--seconds=-1');
  wrong(1, /there is no colour 'nothing' here; there are: body, speed/, '--png', at('x.png'), '--colour', 'nothing');
  wrong(1, /'up' is no camera/, '--png', at('x.png'), '--camera', 'up');
  wrong(1, /'soon' is no time/, '--png', at('x.png'), '--time', 'soon');
  wrong(74, /nowhere/, '--png', at('nowhere/x.png'));
  assert.ok(!existsSync(at('x.png')));
  const bare = { PATH: at('tmp'), TMPDIR: at('tmp') };
  const none = spawnSync(zwang, ['view', at('arc'), ...page, '--png', at('x.png')], { encoding: 'utf8', env: bare });
  assert.equal(none.status, 66);
  assert.match(none.stderr, /apt install chromium/);
});

test('a film needs ffmpeg, and says so', { skip: false }, () => {
  const has = spawnSync('ffmpeg', ['-version']).status === 0;
  const done = view('arc', '--mp4', at('film.mp4'), '--size', '321x201', '--seconds', '0.4', '--fps', '5');
  if (!has) {
    assert.equal(done.status, 66);
    assert.match(done.stderr, /apt install ffmpeg.*--gif/s);
    return;
  }
  assert.equal(done.status, 0, done.stderr);
  assert.equal(readFileSync(at('film.mp4')).toString('latin1', 4, 8), 'ftyp');
});
