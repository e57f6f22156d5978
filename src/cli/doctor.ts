// coterie doctor: checks the setup and the hub, in the order in which failures would occur, and suggests fixes.
import { loadConfig } from '../config.js';
import { withoutPassword } from '../contract/database-url.js';
import { toHubError } from '../contract/errors.js';
import { shellArgument } from '../contract/shell-argument.js';
import { packageVersion } from '../version.js';
import type { Flag } from './arguments/flag.js';
import { configFlag, dataFlag, jsonFlag, readHubChoice, urlFlag } from './arguments/hub-flags.js';
import { keyFileFlag } from './arguments/key-choice.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { checkClients } from './doctor/check-clients.js';
import { checkHub } from './doctor/check-hub.js';
import { checkPush } from './doctor/check-push.js';
import { checkStoppedStore } from './doctor/check-store.js';
import { checkDataFolder, checkNode, checkPort, type Check } from './doctor/check-setup.js';
import { exitCodes } from './show/exit-code.js';
import { startCommand } from './hub/find-hub.js';
import { hubAt } from './hub/hub-at.js';
import { runningHub } from './hub/running-hub.js';
import { whichHub } from './hub/which-hub.js';
import { paint } from './show/paint.js';
import { print, printJson } from './show/print.js';
import { printable } from './show/printable.js';
import { shortPath } from './show/short-path.js';

const flags: readonly Flag[] = [
  dataFlag,
  urlFlag,
  { name: 'port', value: 'N', help: 'the port a hub would take (4100)', env: 'COTERIE_PORT' },
  configFlag,
  keyFileFlag,
  jsonFlag,
];

const description: Description = {
  usage: '[options]',
  about: [
    'Checks Node, the data folder, the port, the hub and your key, the database of a',
    'hub that does not run, and each client: its entry, its name, its hooks, and',
    'whether it was woken. Measures a round trip, a send and a wake-up.',
    `Exit code ${exitCodes.unhealthy} when something is wrong.`,
  ],
  flags,
  examples: [
    { line: 'coterie doctor', does: 'of the hub that coterie where names' },
    { line: 'coterie doctor --data ./team', does: 'of another folder' },
    { line: 'coterie doctor --json | jq .healthy', does: 'for a program' },
  ],
};

export const doctor: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'doctor', flags });
    const isJson = own.has('json');
    const checks: Check[] = [];
    for await (const check of allChecks(own)) {
      checks.push(check);
      // Printed one by one, because the last ones take a moment.
      if (!isJson) await print(checkText(check));
    }
    const wrong = checks.filter(({ state }) => state === 'wrong').length;
    if (isJson) await printJson({ healthy: wrong === 0, version: packageVersion, checks });
    else await print(wrong === 0 ? `\n${paint('green', 'All is well.')}\n` : `\n${paint('red', `${wrong} to fix.`)}\n`);
    return wrong === 0 ? exitCodes.done : exitCodes.unhealthy;
  },
};

/** Clients last: most of what is wrong with them is wrong with the hub. */
async function* allChecks(own: ReadonlyMap<string, string>): AsyncGenerator<Check> {
  yield* runChecks(own);
  yield* checkClients();
}

async function* runChecks(own: ReadonlyMap<string, string>): AsyncGenerator<Check> {
  yield checkNode();
  const choice = readHubChoice(own);
  // The settings a hub would start with.
  const hubArgs = [...own].flatMap(([name, value]) => (hubSettings.includes(name) ? [`--${name}=${value}`] : []));
  let config;
  try {
    config = loadConfig(hubArgs, process.env);
  } catch (error) {
    const { message, hint } = toHubError(error);
    yield { name: 'settings', state: 'wrong', says: message, fix: hint };
    return;
  }
  if (choice.url !== undefined) {
    yield* checkHub(choice.url, 'Check the URL: the hub prints it when it is ready.', choice.key);
    yield* checkPush(choice, undefined);
    return;
  }
  const place = whichHub(choice);
  const start = `Start one: ${startCommand(choice)}`;
  if (place.kind === 'address') {
    yield nameDatabase(config.database ?? '');
    if ((await hubAt(place.url)) !== undefined) {
      yield* checkHub(place.url, start, choice.key);
      yield* checkPush(choice, config);
    } else {
      yield await checkPort(config);
      yield { name: 'hub', state: 'wrong', says: `no hub answers at ${place.url}`, fix: start };
    }
    return;
  }
  const data = checkDataFolder(place.folder);
  yield data;
  if (data.state === 'wrong') return;
  const note = runningHub(place.folder);
  if (note === undefined) {
    yield* checkStoppedStore(place.folder);
    yield await checkPort(config);
    yield { name: 'hub', state: 'wrong', says: `no hub runs for ${shortPath(place.folder)}`, fix: start };
    return;
  }
  const silent = `The hub with pid ${note.pid} does not answer. Stop it: coterie stop --data ${shellArgument(place.folder)}, then start it again.`;
  yield* checkHub(note.url, silent, choice.key);
  yield* checkPush(choice, config);
}

/** Whether it can be reached is known to the hub, which is checked next. */
function nameDatabase(database: string): Check {
  return { name: 'data', state: 'ok', says: `kept in ${withoutPassword(database)}` };
}

const hubSettings = ['data', 'port', 'config'];

function checkText({ name, state, says, fix }: Check): string {
  const mark = state === 'ok' ? paint('green', 'ok   ') : paint('red', 'wrong');
  const lines = [`${mark}  ${paint('dim', name.padEnd(8))}  ${printable(says)}`];
  if (fix !== undefined) lines.push(`${' '.repeat(17)}${paint('yellow', printable(fix))}`);
  return lines.map((line) => `${line}\n`).join('');
}
