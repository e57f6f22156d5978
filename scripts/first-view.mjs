// Measures the script that a phone loads before it shows anything: at most 60 KB compressed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const bytesMax = 60 * 1_024;

/** Answers an exit code, as the tools of the build do. */
export function checkFirstView(folder) {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path);
  const bytes = withImports(folder, scripts).reduce((sum, path) => sum + compressedBytes(join(folder, path)), 0);
  if (scripts.length > 0 && bytes <= bytesMax) return 0;
  console.error(`The script of the first view has ${bytes} bytes compressed; at most ${bytesMax} are allowed.`);
  return 1;
}

/** What the scripts import at once, not what they load later by import(). */
function withImports(folder, paths) {
  const found = new Set(paths);
  for (const path of found) {
    const source = readFileSync(join(folder, path), 'utf8');
    for (const [, name] of source.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      found.add(`/assets/${name}`);
  }
  return [...found];
}

function compressedBytes(file) {
  return gzipSync(readFileSync(file), { level: 9 }).length;
}
