// coterie init: connects the clients of this machine to the hub. Shows what it would write, asks, writes, and can take it back.
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Flag } from '../arguments/flag.js';
import { asFlag, configFlag, dataFlag, jsonFlag, readHubChoice, urlFlag } from '../arguments/hub-flags.js';
import { keyFileFlag, readKey } from '../arguments/key-choice.js';
import { readArgs } from '../arguments/read-args.js';
import { didYouMean, usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { autoName } from '../hub/hook-name.js';
import { exitCodes } from '../show/exit-code.js';
import { printJson, printLines, printNotice } from '../show/print.js';
import { shortPath } from '../show/short-path.js';
import { applyPlan, type Applied } from './apply-plan.js';
import { setupFor } from './choose-server.js';
import type { InitClient } from './client.js';
import { initClients } from './clients/index.js';
import { diffLines } from './diff.js';
import { installedClients } from './installed.js';
import { planInit, planUndo, type Plan, type Wanted } from './plan.js';
import { ownerOf, readRecord, type InitOptions, type InitRecord } from './record.js';
import type { Places, Scope } from './setup.js';

const clientNames = initClients.map(({ id }) => id);
/** Not from the environment: COTERIE_AGENT is the person at the terminal. */
const { env: _, ...nameFlag } = asFlag;

const flags: readonly Flag[] = [
  { ...nameFlag, name: 'agent', help: 'the agent’s name; auto makes one of folder and client (auto)' },
  { name: 'project', help: 'for this folder only, in files of the project' },
  { name: 'yes', help: 'write without asking' },
  { name: 'undo', help: 'take back what init wrote' },
  urlFlag,
  dataFlag,
  configFlag,
  { ...keyFileFlag, help: 'a file with the agent’s key, which the client’s entry names' },
  jsonFlag,
];

const description: Description = {
  usage: '[CLIENT] [options]',
  about: [
    'Connects agents’ clients to the hub that `coterie where` names: their MCP entry,',
    'hooks that wake them, and a paragraph of instructions. Without CLIENT, all that',
    'are installed. Shows every change first. Keeps comments and other settings, and',
    'writes no key: clients read COTERIE_KEY, or the file that --key-file names.',
    `Exit code ${exitCodes.notWritten} if something is to be written, and was not. Clients:`,
    `${clientNames.join(', ')}.`,
  ],
  flags,
  examples: [
    { line: 'coterie init', does: 'every client that is found here' },
    { line: 'coterie init claude --agent builder', does: 'one client, with a name' },
    { line: 'coterie init codex --project --yes', does: 'this folder only, without a question' },
    { line: 'coterie init --undo', does: 'as it was before' },
  ],
  choices: clientNames,
};

export const init: Command = {
  describe: () => description,
  async run(argv) {
    const { own, positionals } = readArgs(argv, { command: 'init', flags, positionals: ['client'] });
    const places = {
      home: process.env['HOME'] || homedir(),
      folder: process.cwd(),
      env: process.env,
      platform: process.platform,
    };
    const scope: Scope = own.has('project') ? 'project' : 'user';
    const record = readRecord(process.env);
    if (own.has('undo'))
      return carryOut(undoPlan(positionals[0], scope, { places, record }), {
        own,
        planFor: (current) => undoPlan(positionals[0], scope, { places, record: current }),
        isUndo: true,
      });
    const clients = chosen(positionals[0], scope, places);
    if (clients.length === 0) return noClient();
    if (clients.length > 1 && (own.get('agent') ?? autoName) !== autoName) throw sharedName(clients);
    const wanted: Wanted[] = [];
    for (const client of clients) wanted.push(await wantedFor(client, scope, { places, own, record }));
    const plan = planInit(wanted, record);
    const planFor = (current: InitRecord) => planInit(wanted, current);
    const exitCode = await carryOut(plan, { own, planFor, isUndo: false });
    if (exitCode === exitCodes.done && plan.changes.length > 0 && !own.has('json')) tellNotes(wanted);
    return exitCode;
  },
};

interface Here {
  readonly places: Places;
  readonly record: InitRecord;
}

function chosen(name: string | undefined, scope: Scope, places: Places): InitClient[] {
  if (name === undefined) {
    return installedClients(places).flatMap(({ client }) => (client.scopes.includes(scope) ? [client] : []));
  }
  const client = initClients.find(({ id }) => id === name);
  if (client === undefined) throw unknownClient(name);
  if (!client.scopes.includes(scope)) {
    throw usage(`${client.title} has no such file for a project.`, `For all your folders: coterie init ${client.id}`);
  }
  return [client];
}

/** What is not given is as it was the last time. */
async function wantedFor(
  client: InitClient,
  scope: Scope,
  { places, own, record }: Here & { own: ReadonlyMap<string, string> },
): Promise<Wanted> {
  const before = record.clients[ownerOf(client.id, scope === 'project' ? places.folder : undefined)];
  const isHubGiven = own.has('url') || own.has('data');
  const url = own.get('url') ?? (isHubGiven ? undefined : before?.url);
  // The next run may be in another folder.
  const given = (flag: string) => (own.has(flag) ? resolve(places.folder, own.get(flag) ?? '') : undefined);
  const data = given('data') ?? (isHubGiven ? undefined : before?.data);
  const keyFile = given('key-file') ?? before?.keyFile;
  if (keyFile !== undefined) readKey(keyFile, {});
  const agent = own.get('agent')?.replace(/^@/, '') ?? before?.agent;
  const options: InitOptions = {
    ...(agent === undefined ? {} : { agent }),
    ...(url === undefined ? {} : { url }),
    ...(data === undefined ? {} : { data }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
  const hubFlags = new Map([
    ...own,
    ...Object.entries({ url, data }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  ]);
  const setup = await setupFor(places, scope, { options, choice: readHubChoice(hubFlags) });
  return { client, setup, options };
}

/** Without a client: all of this user, or with --project all of this folder. */
function undoPlan(name: string | undefined, scope: Scope, { places, record }: Here): Plan {
  if (name !== undefined && !clientNames.includes(name)) throw unknownClient(name);
  const clients = name === undefined ? clientNames : [name];
  return planUndo(
    clients.map((client) => ownerOf(client, scope === 'project' ? places.folder : undefined)),
    record,
  );
}

async function carryOut(
  plan: Plan,
  { own, planFor, isUndo }: Pick<Applied, 'planFor' | 'isUndo'> & { own: ReadonlyMap<string, string> },
): Promise<number> {
  const { changes } = plan;
  const isJson = own.has('json');
  const isYes = own.has('yes');
  if (!isJson) await printLines(changes.flatMap(diffLines));
  const isWritten = changes.length === 0 || isYes || (!isJson && (await isAgreed(changes.length)));
  if (isWritten) await applyPlan({ shown: plan, planFor, isUndo, env: process.env });
  if (isJson) {
    const files = changes.map(({ path, before, after }) => ({
      path,
      change: before === null ? 'new' : after === null ? 'removed' : 'changed',
    }));
    await printJson({ written: isWritten, files });
  } else if (changes.length === 0) await printLines(['Nothing to change.']);
  else if (isWritten)
    await printLines(changes.map(({ path, after }) => `${after === null ? 'Removed' : 'Wrote'} ${shortPath(path)}`));
  else printNotice('Nothing was written. To write it without a question: --yes');
  return isWritten ? exitCodes.done : exitCodes.notWritten;
}

async function isAgreed(files: number): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-D is no answer, and so is Ctrl-C.
  const closed = new Promise<string>((end) => reader.once('close', () => end('')));
  const answer = await Promise.race([
    reader.question(`Write ${files === 1 ? 'this file' : `these ${files} files`}? [y/N] `),
    closed,
  ]);
  reader.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

function tellNotes(wanted: readonly Wanted[]): void {
  printNotice('To take it back: coterie init --undo');
  for (const { client, setup } of wanted) {
    for (const note of client.notes(setup)) printNotice(note);
  }
  const asksForKey = wanted.some(({ setup: { server } }) => server.kind === 'http' && server.hasKey);
  if (asksForKey) {
    printNotice(
      'No file contains a key. Set COTERIE_KEY to the agent’s key where its client starts; VS Code asks for it.',
    );
    printNotice('Or keep it in a file of yours (chmod 600): coterie init --key-file FILE');
  }
}

/** Mail goes to a name: two programs under one would share it. */
function sharedName(clients: readonly InitClient[]): Error {
  const found = clients.map(({ id }) => id).join(', ');
  return usage(
    `--agent names one agent, and there are ${clients.length} clients: ${found}.`,
    'Name them one by one, coterie init CLIENT --agent NAME, or leave out --agent: each gets a name of folder and client.',
  );
}

function noClient(): number {
  printNotice('No client was found, neither on the PATH nor by its settings.');
  printNotice(`Name one: coterie init CLIENT. Clients: ${clientNames.join(', ')}. For others: coterie connect`);
  return exitCodes.done;
}

function unknownClient(given: string): Error {
  return usage(
    `'${given}' is not a client that init knows.`,
    `${didYouMean(given, clientNames, (near) => near)}Clients: ${clientNames.join(', ')}. For others: coterie connect`,
  );
}
