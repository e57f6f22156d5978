// A PostgreSQL server of its own in a temporary folder, which disappears with it.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const host = '127.0.0.1';
/** Everyone is trusted; the password is there so that tests can see that it is told to nobody. */
const login = 'coterie:not-to-be-shown';
const startMsMax = 30_000;
const stopMsMax = 5_000;
const logCharsKept = 20_000;

/**
 * Answers its address, the end of its process, and a way to end it; also how to let it die without warning and to start
 * it again on the same folder and port. With the address of another it begins as that one's standby.
 */
export async function startCluster(bin, primaryUrl) {
  const owner = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'coterie-postgres-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
    const place = { bin, folder, owner };
    if (primaryUrl === undefined) initialize(place);
    else copyFrom(primaryUrl, place);
    const { port, ...started } = await startServer(place);
    let { server } = started;
    // A crash that was asked for is not the end.
    let tellEnd;
    const ended = new Promise((resolve) => (tellEnd = resolve));
    server.once('exit', tellEnd);
    return {
      url: `postgres://${login}@${host}:${port}/postgres`,
      ended,
      async crash() {
        server.off('exit', tellEnd);
        await killServer(server);
      },
      async start() {
        server = await launch(place, port);
        server.once('exit', tellEnd);
      },
      async stop() {
        await stopServer(server, once(server, 'exit'));
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** PostgreSQL refuses to run as root. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const numbers = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    const [uid, gid] = numbers.map(({ status, stdout }) => (status === 0 ? Number(stdout) : undefined));
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody.');
}

function initialize({ bin, folder, owner }) {
  const options = ['--auth=trust', `--username=${login.split(':')[0]}`, '--encoding=UTF8', '--locale=C', '--no-sync'];
  // An order of words that is not that of their bytes, as on most machines: the hub must not depend on it.
  if (majorVersion(bin) >= 15) options.push('--locale-provider=icu', '--icu-locale=en-US');
  run('initdb', options, { bin, folder, owner });
}

/** With what makes a server follow the one that was copied. */
function copyFrom(url, place) {
  run('pg_basebackup', ['-d', url, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'], place);
}

function run(program, options, { bin, folder, owner }) {
  const result = spawnSync(join(bin, program), [...options, '-D', join(folder, 'data')], {
    ...owner,
    cwd: folder,
    encoding: 'utf8',
  });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${program} failed:\n${result.stdout}${result.stderr}`);
}

function majorVersion(bin) {
  const said = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/\d+/.exec(said)?.[0]);
}

async function startServer(place) {
  for (let triesLeft = 3; ; triesLeft -= 1) {
    const port = await freePort();
    try {
      return { server: await launch(place, port), port };
    } catch (error) {
      // Another program may have been quicker to take the port.
      if (triesLeft === 1 || !/address already in use/i.test(error.message)) throw error;
    }
  }
}

async function launch({ bin, folder, owner }, port) {
  const settings = {
    listen_addresses: host,
    port,
    unix_socket_directories: folder,
    // Three hubs for each of several test files, each with its pool.
    max_connections: 300,
    // What is acknowledged is on the disk, as it must be outside of tests.
    fsync: 'on',
    lc_messages: 'C',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', join(folder, 'data'), ...args], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const ready = new Promise((resolve) => {
    server.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-logCharsKept);
      if (/ready to accept (read-only )?connections/.test(log)) resolve(true);
    });
  });
  const ended = once(server, 'exit');
  if ((await Promise.race([ready, ended, sleep(startMsMax, undefined, { ref: false })])) === true) return server;
  await stopServer(server, ended);
  throw new Error(`PostgreSQL did not start:\n${log}`);
}

/** Without waiting for its clients to leave; then without waiting for anything. */
async function stopServer(server, ended) {
  for (const signal of ['SIGINT', 'SIGQUIT']) {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await Promise.race([ended, sleep(stopMsMax, undefined, { ref: false })]);
  }
}

/** It and all its processes at once, as if the machine had stopped: what was not on the disk is gone. */
async function killServer(server) {
  const exited = once(server, 'exit');
  const backends = livingProcesses().filter(({ parent }) => parent === server.pid);
  const all = new Set([server.pid, ...backends.map(({ pid }) => pid)]);
  for (const pid of all) kill(pid);
  await exited;
  // The next server refuses to start beside what is left of this one.
  while (livingProcesses().some(({ pid }) => all.has(pid))) await sleep(20);
}

function livingProcesses() {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  const rows = table.trim().split('\n');
  const processes = rows.map((row) => {
    const [pid, parent, state] = row.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), state };
  });
  // What nobody has asked how it ended stays in the table.
  return processes.filter(({ state }) => !state.startsWith('Z'));
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Below the ports that systems give to outgoing connections: while the server is down its clients keep connecting, and
 * none of them must be given the server's own port.
 */
async function freePort() {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, host);
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
