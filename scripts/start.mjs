// `npm start`: from a fresh clone to a running hub. The hub runs in this same process, so that signals reach it.
import { build } from './build.mjs';
import { install } from './install.mjs';
import { requireNode } from './require-node.mjs';
import { stopWithParent } from './stop-with-parent.mjs';

requireNode();
// A stack trace names the lines of src/.
process.setSourceMapsEnabled(true);
const parentPid = process.ppid;
const exitCode = install() || (await build());
if (exitCode !== 0) process.exit(exitCode);

// Only under npm: started by hand with `node`, the hub may outlive the shell.
if (process.env.npm_lifecycle_event !== undefined) stopWithParent(parentPid);

const { main } = await import(new URL('../dist/cli/main.js', import.meta.url).href);
process.exitCode = await main(['serve', '--hints', ...process.argv.slice(2)]);
