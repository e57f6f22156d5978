// coterie where: which hub and folder a command would use from here, and why.
import type { Flag } from './arguments/flag.js';
import { configFlag, dataFlag, jsonFlag, readHubChoice, urlFlag, type HubChoice } from './arguments/hub-flags.js';
import { readArgs } from './arguments/read-args.js';
import type { Command, Description } from './command.js';
import { exitCodes } from './show/exit-code.js';
import { startCommand } from './hub/find-hub.js';
import { hubAt } from './hub/hub-at.js';
import { runningHub } from './hub/running-hub.js';
import { whichHub, type HubPlace } from './hub/which-hub.js';
import { paint } from './show/paint.js';
import { printJson, printLines } from './show/print.js';
import { printable } from './show/printable.js';
import { shortPath } from './show/short-path.js';

const flags: readonly Flag[] = [dataFlag, urlFlag, configFlag, jsonFlag];

const description: Description = {
  usage: '[options]',
  about: [
    'Shows which hub and data folder a command would use from here, why, and whether',
    'the hub runs: the one you name with --url or --data; else that of ./.coterie, if',
    'there is one; else your own, the same from every folder.',
  ],
  flags,
  examples: [
    { line: 'coterie where', does: 'from this folder' },
    { line: 'coterie where --data ./team', does: 'with this flag' },
    { line: 'coterie where --json | jq -r .url', does: 'for a program' },
  ],
};

export const where: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'where', flags });
    const choice = readHubChoice(own);
    const found = await lookAt(whichHub(choice));
    await (own.has('json') ? printJson(found) : printLines(linesOf(found, choice)));
    return exitCodes.done;
  },
};

interface Found {
  readonly running: boolean;
  readonly url: string | null;
  readonly pid: number | null;
  readonly folder: string | null;
  readonly why: string;
}

async function lookAt(place: HubPlace): Promise<Found> {
  const { why } = place;
  if (place.kind === 'address') {
    const running = (await hubAt(place.url)) !== undefined;
    return { running, url: place.url, pid: null, folder: null, why };
  }
  const hub = runningHub(place.folder);
  return { running: hub !== undefined, url: hub?.url ?? null, pid: hub?.pid ?? null, folder: place.folder, why };
}

function linesOf({ running, url, pid, folder, why }: Found, choice: HubChoice): string[] {
  const rows = [
    ['hub', running ? `${url}${pid === null ? '' : `, pid ${pid}`}` : notRunning(url, choice)],
    ...(folder === null ? [] : [['folder', shortPath(folder)]]),
    ['why', why],
  ];
  return rows.map(([name = '', text = '']) => `${paint('dim', name.padEnd(6))}  ${printable(text)}`);
}

function notRunning(url: string | null, choice: HubChoice): string {
  return url === null ? `none runs; start it: ${startCommand(choice)}` : `none answers at ${url}`;
}
