// Prints where Chromium is, for the tests; installs Debian's where there is none and that is possible.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptGet, installPackage, mayInstall } from './apt-get.mjs';

const howToGetIt = `The tests of the web app need Chromium, and there is none here.
Install it (Debian: apt-get install chromium; macOS: brew install --cask chromium), or name the program in
  COTERIE_TEST_CHROMIUM
Without it the other tests run with: npm test -- --project '!browser*'`;

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macPrograms = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

try {
  console.log(requireChromium());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function requireChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (mayInstall()) {
    console.error('Installing Chromium for the tests (apt-get) …');
    aptGet('update', '-q');
    installPackage('chromium');
    // Without a font every text is empty boxes.
    installPackage('fonts-dejavu-core');
  }
  const installed = findChromium();
  if (installed === undefined) throw new Error(howToGetIt);
  return installed;
}

function findChromium() {
  const chosen = process.env.COTERIE_TEST_CHROMIUM;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new Error(`COTERIE_TEST_CHROMIUM is '${chosen}', where nothing is.`);
  }
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...macPrograms].find(existsSync);
}
