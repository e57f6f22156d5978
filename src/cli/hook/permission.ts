// coterie hook permission: puts a client's permission prompt on a person's devices. Whatever goes wrong, the client's own
// prompt decides: no output, exit code 0 and a line on stderr. Exit code 2 would be a refusal.
import { readStdin } from '../arguments/read-stdin.js';
import { durationForm, readMs, type Flag } from '../arguments/flag.js';
import { asFlag, dataFlag, readHubChoice, sessionFlag, urlFlag } from '../arguments/hub-flags.js';
import { keyFileFlag } from '../arguments/key-choice.js';
import { readArgs } from '../arguments/read-args.js';
import type { Command, Description } from '../command.js';
import { printJson, printNotice } from '../show/print.js';
import { oneLine } from '../show/printable.js';
import { askDevices } from './ask-devices.js';
import { hookClients, type HookClient } from './clients.js';
import type { Prompt } from './prompt.js';

const clientNames = Object.keys(hookClients);

const clientFlag: Flag = {
  name: 'client',
  value: clientNames.join('|'),
  help: 'whose hook this is (claude)',
  allowed: clientNames.join(', '),
  choices: clientNames,
  read: (value) => (Object.hasOwn(hookClients, value) ? value : undefined),
};
const timeoutFlag: Flag = {
  name: 'timeout',
  value: 'TIME',
  help: 'how long a person may take (claude 590s, codex 60s, copilot 25s)',
  allowed: durationForm,
  read: readMs,
};
const toFlag: Flag = { name: 'to', value: 'NAME', help: 'whom to ask; everyone with a device without it' };

const flags = [
  clientFlag,
  timeoutFlag,
  toFlag,
  { ...asFlag, help: 'which agent asks (folder and client)' },
  sessionFlag,
  urlFlag,
  dataFlag,
  keyFileFlag,
];

const description: Description = {
  usage: 'permission [options]',
  about: [
    'Reads a permission prompt from stdin, as a client’s hook gets it, asks on the',
    'person’s verified devices, and prints the decision in the client’s form. Without',
    'a device, a hub or an answer it prints nothing: the client’s own prompt decides.',
  ],
  flags,
  examples: [
    { line: 'coterie hook permission', does: 'as a PermissionRequest hook of Claude Code' },
    { line: 'coterie hook permission --client codex --timeout 2m', does: 'of Codex' },
  ],
};

export const permission: Command = {
  describe: () => description,
  async run(argv) {
    const { own } = readArgs(argv, { command: 'hook permission', flags });
    const name = own.get('client') ?? 'claude';
    const client = hookClients[name];
    if (client === undefined) throw new Error(`unknown client ${name}`);
    const waitMs = readMs(own.get('timeout') ?? '') ?? client.waitSeconds * 1_000;
    const prompt = readPrompt(client, await readStdin('the hook’s input'));
    if (prompt === undefined) return leave(`this is not a permission prompt of ${client.title}`);
    const choice = readHubChoice(own);
    const outcome = await askDevices(prompt, { choice, client: name, waitMs, to: own.get('to') });
    if ('why' in outcome) return leave(outcome.why);
    await printJson(client.write(outcome.decision, prompt));
    return 0;
  },
};

function readPrompt(client: HookClient, text: string): Prompt | undefined {
  try {
    const input: unknown = JSON.parse(text);
    return typeof input === 'object' && input !== null ? client.read({ ...input }) : undefined;
  } catch {
    return undefined;
  }
}

function leave(why: string): number {
  printNotice(`coterie: ${oneLine(why)}; the client’s own prompt decides.`);
  return 0;
}
