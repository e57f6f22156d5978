// Runs a program where the network is loopback and nothing else: what it cannot reach, it cannot send anything to. Its processes are
// a group of their own that ends with it: clients leave daemons behind.
import { spawn, spawnSync } from 'node:child_process';

const alone = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** Without `exec`: the shell is their first process, which has to collect those that have ended. */
const upAndRun = [...alone, 'sh', '-c', 'ip link set lo up && "$@"', 'sh'];

/** Why it cannot be done here; undefined if it can. */
export function whyNoNamespace() {
  const { status } = spawnSync('unshare', [...upAndRun, 'true'], { stdio: 'ignore' });
  if (status === 0) return undefined;
  return (
    'Cannot make a network with loopback only, in which the clients are run. It needs Linux, `unshare` (util-linux), ' +
    '`ip` (iproute2) and root: try `sudo npm run clients`.'
  );
}

/** Resolves with what it printed. */
export async function runAlone(program, args) {
  const child = spawn('unshare', [...upAndRun, program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill('SIGTERM'));
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}
