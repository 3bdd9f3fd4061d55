// SPDX-License-Identifier: Apache-2.0
// live.test.mjs: zwang view --live: the page follows a run, keeps what somebody has set, and only this computer can read it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packages, startBrowser } from './browser.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const zwang = resolve(process.env.ZWANG || join(root, 'build/zwang'));
const scratch = mkdtempSync(join(tmpdir(), 'zwang-live-test-'));
const dir = join(scratch, 'run');
const started = [];
let browser;
const ended = (child) => new Promise((done) => { if (child.exitCode !== null) done(child.exitCode); else child.once('exit', done); });
const get = (address, headers = {}, method = 'GET') => new Promise((done, fail) => {
  const r = request(address, { headers, method }, (answer) => { let text = ''; answer.setEncoding('utf8').on('data', (d) => { text += d; }).on('end', () => done({ status: answer.statusCode, text })); });
  r.on('error', fail);
  r.end();
});

before(async () => { browser = await startBrowser(); });
after(async () => {
  for (const c of started) c.kill('SIGKILL');
  if (browser) await browser.close();
  rmSync(scratch, { recursive: true, force: true });
});

test('a page that follows its run', async () => {
  const server = spawn(zwang, ['view', dir, '--live', '--page', join(packages, 'viewer.html')]);
  started.push(server);
  const address = await new Promise((done) => server.stdout.once('data', (d) => done(String(d).trim())));
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  const early = await get(address);
  assert.equal(early.status, 503);
  assert.match(early.text, /no results yet/);

  const run = spawn(zwang, ['run', join(root, 'examples/arc-beam.yaml'), '-o', dir, '-q', '--set', 'run.until=60', '--set', 'record.frames=400']);
  started.push(run);
  for (let i = 0; i < 100 && (await get(address)).status !== 200; i++) await new Promise((done) => { setTimeout(done, 50); });
  const page = await browser.raw.newPage();
  const errors = [];
  page.on('console', (m) => { if (m.type() === 'error' && !/503/.test(m.text())) errors.push(m.text()); });
  page.on('pageerror', (e) => errors.push(String(e)));
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes');
  assert.match(await page.locator('#live').textContent(), /live|over/);
  await page.locator('#colour').selectOption('speed');
  await page.keyboard.press('2');
  assert.equal(await ended(run), 0);
  await page.waitForFunction(() => document.getElementById('live')?.textContent === 'the run is over', null, { timeout: 60000 });
  const last = await page.evaluate(() => { const { player, state, data } = window.zwangView; return { t: player.t, end: player.end, colour: state.colour, view: state.stage.view, outcome: data.page.summary && data.page.summary.outcome, frames: data.time.length }; });
  assert.deepEqual(last, { t: 60, end: 60, colour: 'speed', view: 'top', outcome: 'reached', frames: last.frames });
  assert.ok(last.frames > 300);
  assert.deepEqual(errors, []);
  await page.close();

  assert.equal((await get(address, { Host: 'evil.example' })).status, 403);
  assert.equal((await get(`${address}model.yaml`)).status, 404);
  assert.equal((await get(address, {}, 'POST')).status, 405);
  server.kill('SIGINT');
  assert.equal(await ended(server), 0);
});
