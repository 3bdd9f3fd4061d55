// SPDX-License-Identifier: Apache-2.0
// main.js: where the page begins: what it holds is read and shown; with #picture it makes pictures for `zwang view --png` instead, and served by `zwang view --live` it follows the run.
import { App } from './app.js';
import { readPage } from './data.js';
import { follow } from './live.js';
import { takePictures } from './picture.js';
import { wishes } from './wishes.js';

const wish = wishes(window.location.hash);
if (wish.picture) {
  takePictures(document, wish);
} else {
  const holder = { app: new App(document.getElementById('app'), readPage(document), wish) };
  Object.defineProperty(window, 'zwangView', { get: () => holder.app }); // for tests and the curious
  document.documentElement.dataset.ready = 'yes';
  if (document.documentElement.dataset.live) follow(holder);
}
