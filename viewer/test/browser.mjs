// SPDX-License-Identifier: Apache-2.0
// browser.mjs: a headless Chromium for the tests, with WebGL in software, a fresh profile, and no wish to talk to anybody.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const packages = resolve(process.env.ZW_VIEWER_PACKAGES || join(here, '../../build/viewer'));
const { chromium } = createRequire(join(packages, 'package.json'))('playwright-core');
const program = process.env.CHROMIUM || ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** {open(file, size, more) -> page, close()}; page.errors holds everything the console complained of, page.asked every address that is not a file. */
export async function startBrowser() {
  if (!program) throw new Error('no Chromium found: install it (Debian: apt install chromium), or name it with CHROMIUM=');
  const profile = mkdtempSync(join(tmpdir(), 'zwang-view-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    headless: true,
    viewport: null,
    args: ['--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  return {
    raw: browser,
    async open(file, { width = 1600, height = 1000, dark = false } = {}) {
      const page = await browser.newPage();
      page.errors = [];
      page.asked = [];
      page.on('console', (m) => { if (m.type() === 'error' || (m.type() === 'warning' && !/GPU stall|GL Driver|swiftshader/i.test(m.text()))) page.errors.push(m.text()); });
      page.on('pageerror', (e) => page.errors.push(String(e)));
      page.on('request', (r) => { if (!/^(file|data|blob):/.test(r.url())) page.asked.push(r.url()); });
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
      const begun = Date.now();
      const [name, hash] = file.split('#');
      await page.goto(pathToFileURL(name).href + (hash ? `#${hash}` : ''));
      await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes' && (!window.zwangView.state.stage || window.zwangView.state.stage.drawn > 0), null, { polling: 50, timeout: 60000 });
      page.opened = Date.now() - begun;
      return page;
    },
    async close() {
      await browser.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
