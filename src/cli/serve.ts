// coterie serve: runs a hub until a signal stops it.
import { startHub } from '../compose.js';
import { loadConfig } from '../config.js';
import { connectHints } from '../contract/connect-hints.js';
import { createJsonLog } from '../runtime/json-log.js';

/** The promised stop time, less a margin for the process to exit. */
const stopMsMax = 9_000;
const exitBroken = 70;

export async function runServe(argv: readonly string[]): Promise<void> {
  const config = loadConfig(argv, process.env);
  const log = createJsonLog({ level: config.logLevel });
  const signalled = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
  const hub = await startHub({
    config,
    log,
    onBroken(message) {
      log.error('store broken', { error: message });
      // The outcome of the last commit is unknown until a restart.
      setImmediate(() => process.exit(exitBroken));
    },
  });
  log.info('ready', { url: hub.url, pid: process.pid });
  process.stdout.write(`coterie ready ${hub.url}\n`);
  if (config.hints) printHints(hub.url);
  const signal = await signalled;
  log.info('stopping', { signal });
  const overdue = setTimeout(() => process.exit(0), stopMsMax);
  await hub.stop();
  // Still exits in time if anything keeps the process alive.
  overdue.unref();
  log.info('stopped');
  log.flush();
}

function printHints(url: string): void {
  const lines = connectHints(url).map(({ client, command }) => `  ${client.padEnd(12)} ${command}`);
  process.stderr.write(
    ['', `  Console      ${url}/`, ...lines, '  Give each agent its own YOUR-NAME.', '', ''].join('\n'),
  );
}
