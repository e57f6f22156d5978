// coterie connect: the line or the file that connects a client to the hub of this folder.
import { fileURLToPath } from 'node:url';
import { userFolder } from '../../config/which-folder.js';
import { clientIds, connectHints, connectNotes, type ConnectHint } from '../../contract/connect/connect-hints.js';
import type { Flag } from '../arguments/flag.js';
import { configFlag, dataFlag, jsonFlag, readHubChoice, urlFlag } from '../arguments/hub-flags.js';
import { readArgs } from '../arguments/read-args.js';
import { didYouMean, usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { findHub } from '../hub/find-hub.js';
import { hubAt, whyNoHub } from '../hub/hub-at.js';
import { whichHub, type HubPlace } from '../hub/which-hub.js';
import { printJson, printLines, printNotice } from '../show/print.js';
import { agentFlag } from './make-key.js';

const flags: readonly Flag[] = [
  { ...agentFlag, help: 'the agent’s name, for a hub without keys' },
  dataFlag,
  urlFlag,
  configFlag,
  jsonFlag,
];

const description: Description = {
  usage: '[CLIENT] [options]',
  about: [
    'Prints how a client connects to the hub that `coterie where` names: a line for',
    'the terminal, or what to put into a file. Without CLIENT, for all of them. It',
    'never prints a key: clients read COTERIE_KEY, or ask for it. Clients:',
    `${clientIds.join(', ')}.`,
  ],
  flags,
  examples: [
    { line: 'coterie connect claude --agent builder', does: 'a hub without keys' },
    { line: 'coterie connect codex --url https://hub.example.com', does: 'a hub elsewhere' },
  ],
  choices: clientIds,
};

export const connectClient: Command = {
  describe: () => description,
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'connect', flags, positionals: ['client'] });
    const [client] = positionals;
    if (client !== undefined && !clientIds.some((id) => id === client)) throw unknownClient(client);
    const choice = readHubChoice(own);
    const url = findHub(choice);
    const found = await hubAt(url);
    if (found === undefined) throw await whyNoHub(url);
    const hasKeys = found.refusal !== null;
    const agent = own.get('agent')?.replace(/^@/, '');
    const hubFlags = flagsFor(whichHub(choice));
    const hints = connectHints(url, { command: ['node', commandFile], hubFlags, hasKeys, agent });
    const shown = hints.filter(({ id }) => client === undefined || id === client);
    if (own.has('json')) await printJson({ url, hasKeys, clients: shown });
    else await printLines(linesOf(shown));
    if (!own.has('json')) for (const note of connectNotes(hasKeys)) printNotice(note);
    return 0;
  },
};

const commandFile = fileURLToPath(new URL('../main.js', import.meta.url));

/** Lines for the terminal can be pasted as they are. */
function linesOf(hints: readonly ConnectHint[]): string[] {
  const isOne = hints.length === 1;
  return hints.flatMap(({ client, file, text }) => {
    const title = file === undefined ? `# ${client}` : `# ${client}, in ${file}`;
    return [...(isOne && file === undefined ? [] : [title]), text];
  });
}

/** The user's own hub is found from every folder without a flag. */
function flagsFor(place: HubPlace): string[] {
  if (place.kind === 'address') return ['--url', place.url];
  return place.folder === userFolder(process.env) ? [] : ['--data', place.folder];
}

function unknownClient(given: string): Error {
  return usage(
    `'${given}' is not a client that connect knows.`,
    `${didYouMean(given, clientIds, (near) => near)}Clients: ${clientIds.join(', ')}.`,
  );
}
