// Refuses a Node that is too old before anything else runs, because its own errors would not name the cause.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tool.mjs';

export function requireNode() {
  const { name, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [majorMin, minorMin] = engines.node.match(/\d+/g).map(Number);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return;
  console.error(`${name} needs Node ${majorMin}.${minorMin} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
