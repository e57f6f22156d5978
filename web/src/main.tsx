// Starts the app: the first data, the live stream, the page.
import { render } from 'preact';
import { App } from './app/app.js';
import { followKeys } from './app/keys.js';
import { followPaletteKey } from './app/palette-opener.js';
import { followLinks } from './app/router.js';
import { restrictScripts } from './app/trusted-types.js';
import { start } from './data/start.js';

restrictScripts();
followLinks();
followKeys();
followPaletteKey();
void start();
// In a task of its own: with the evaluation of the script it would be a long one.
setTimeout(() => {
  const root = document.getElementById('root');
  if (root !== null) render(<App />, root);
});
