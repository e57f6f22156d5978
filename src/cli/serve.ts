// coterie serve: runs a hub until a signal stops it.
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hubLogFile } from '../bridge/start-hub.js';
import { startHub } from '../compose.js';
import { loadConfig, type Config } from '../config.js';
import { userFolder } from '../config/which-folder.js';
import { connectHints, connectNotes } from '../contract/connect/connect-hints.js';
import { HubError } from '../contract/errors.js';
import { shellArgument } from '../contract/shell-argument.js';
import { createJsonLog } from '../runtime/json-log.js';
import { rotating } from '../runtime/rotated-file.js';
import { needsKey } from './hub/hub-at.js';
import { explainPortInUse } from './hub/port-in-use.js';
import { runningHub } from './hub/running-hub.js';

/** The promised stop time, less a margin for the process to exit. */
const stopMsMax = 9_000;
const exitBroken = 70;
const toStderr = (text: string) => void process.stderr.write(text);

export async function runServe(argv: readonly string[]): Promise<void> {
  const config = loadConfig(argv, process.env);
  const logFile = { path: join(config.data, hubLogFile), bytesMax: config.logMaxBytes };
  const log = createJsonLog({ level: config.logLevel, write: rotating({ ...logFile, write: toStderr }) });
  const signalled = new Promise<string>((end) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end(signal));
  });
  const hub = await startHub({
    config,
    log,
    onBroken(message) {
      log.error('store broken', { error: message });
      // The outcome of the last commit is unknown until a restart.
      setImmediate(() => process.exit(exitBroken));
    },
  }).catch(async (error: unknown) => {
    if (config.hints && error instanceof HubError && error.code === 'DATA_IN_USE') await printHintsOfRunning(config);
    throw await explainPortInUse(error, config);
  });
  log.info('ready', { url: hub.url, pid: process.pid });
  process.stdout.write(`coterie ready ${hub.url}\n`);
  for (const warning of hub.warnings) process.stderr.write(`${warning}\n`);
  if (config.hints) printHints(config.publicUrl ?? hub.url, config, hub.hasKeys());
  else if (process.stderr.isTTY) process.stderr.write(`Connect agents: ${hub.url}/ shows how, and so does --hints.\n`);
  const signal = await signalled;
  log.info('stopping', { signal });
  const overdue = setTimeout(() => process.exit(0), stopMsMax);
  await hub.stop();
  // Still exits in time if anything keeps the process alive.
  overdue.unref();
  log.info('stopped');
  log.flush();
}

async function printHintsOfRunning(config: Config): Promise<void> {
  const running = runningHub(config.data);
  if (running !== undefined) printHints(running.url, config, await needsKey(running.url));
}

function printHints(url: string, config: Config, hasKeys: boolean): void {
  const commandFile = fileURLToPath(new URL('main.js', import.meta.url));
  const hints = connectHints(url, { command: ['node', commandFile], hubFlags: flagsFor(url, config), hasKeys });
  const lines = hints.map(({ client, file, text }) => [client, file === undefined ? text : `in ${file}: ${text}`]);
  const rows = [['Web app', `${url}/`], ...commandRow(commandFile), ...lines].map(
    ([name = '', text]) => `  ${name.padEnd(12)} ${text}`,
  );
  process.stderr.write(['', ...rows, ...connectNotes(hasKeys).map((note) => `  ${note}`), '', ''].join('\n'));
}

/** In a clone, nothing puts the command on the PATH. */
function commandRow(commandFile: string): string[][] {
  if (commandFile.includes(`${sep}node_modules${sep}`)) return [];
  const clone = dirname(dirname(dirname(commandFile)));
  return [['Commands', `npx coterie … in ${clone}; elsewhere: node ${shellArgument(commandFile)} …`]];
}

/** The user's own hub is found from every folder without a flag. */
function flagsFor(url: string, { database, data }: Config): string[] {
  if (database !== null) return ['--url', url];
  return resolve(data) === userFolder(process.env) ? [] : ['--data', resolve(data)];
}
