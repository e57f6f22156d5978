// coterie wake codex: starts a turn in a thread of Codex, through its queue or an app-server.
import { spawn } from 'node:child_process';
import type { Flag } from '../arguments/flag.js';
import { readArgs } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { oneLine } from '../show/printable.js';
import { PassFailure, runAdapter } from './adapter.js';
import { clientSessionForm, isClientSession } from './client-session.js';
import { startTurn } from './codex-app-server.js';
import { routeFlags } from './companion-flags.js';

const flags: readonly Flag[] = [
  {
    name: 'thread',
    value: 'ID',
    help: 'the thread of Codex',
    allowed: clientSessionForm,
    read: (value) => (isClientSession(value) ? value : undefined),
  },
  { name: 'app-server', help: 'run the turn in a codex app-server of its own' },
  { name: 'program', value: 'FILE', help: 'the program of Codex (codex)' },
  ...routeFlags,
];

const description: Description = {
  usage: 'codex --thread ID [options]',
  about: [
    'Starts a turn in a thread of Codex when mail wakes the agent: with codex queue,',
    'for a thread that is open in Codex or that its daemon runs, or with --app-server',
    'without either of them. Codex shows the id of the thread in /status.',
  ],
  flags,
  examples: [
    { line: 'coterie wake codex --agent builder --thread 0199a213-81c0', does: 'through the queue' },
    { line: 'coterie wake codex --agent builder --thread 0199a213-81c0 --app-server', does: 'headless' },
  ],
};

const queueMsMax = 30_000;
const outputCharsMax = 2_000;

export const codex: Command = {
  describe: () => description,
  run(argv) {
    const { own } = readArgs(argv, { command: 'wake codex', flags });
    const thread = own.get('thread');
    if (thread === undefined) throw usage('wake codex needs a thread.', 'Give --thread ID; /status in Codex shows it.');
    const program = own.get('program') ?? 'codex';
    if (own.has('app-server')) {
      return runAdapter(own, {
        kind: 'codex-app-server',
        clientSession: thread,
        async pass(text, { attempt, signal }) {
          await startTurn({ program, thread, text, attempt, signal });
          return 'finished';
        },
      });
    }
    return runAdapter(own, {
      kind: 'codex-queue',
      clientSession: thread,
      async pass(text, { signal }) {
        await queue(program, ['queue', '--thread', thread, '--message', text], signal);
        return 'accepted';
      },
    });
  },
};

async function queue(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(queueMsMax)]);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal: until, killSignal: 'SIGKILL' });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors = (errors + chunk).slice(-outputCharsMax)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => reject(new PassFailure('codex queue cannot be run', cause.message, { cause })));
    child.once('close', resolve);
  });
  if (code !== 0) throw new PassFailure(`codex queue ended with exit code ${code}`, oneLine(errors));
}
