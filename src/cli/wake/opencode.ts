// coterie wake opencode: starts a turn in a session of `opencode serve` (or of the program itself, which serves HTTP too).
import type { Flag } from '../arguments/flag.js';
import { readArgs } from '../arguments/read-args.js';
import { usage } from '../arguments/usage.js';
import type { Command, Description } from '../command.js';
import { withoutEndSlashes } from '../../contract/base-url.js';
import { PassFailure, runAdapter } from './adapter.js';
import { clientSessionForm, isClientSession } from './client-session.js';
import { routeFlags } from './companion-flags.js';

const isHttpUrl = (value: string) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : undefined;

const flags: readonly Flag[] = [
  {
    name: 'server',
    value: 'URL',
    help: 'of opencode serve (http://127.0.0.1:4096)',
    allowed: 'an http(s) URL',
    read: isHttpUrl,
  },
  {
    name: 'client-session',
    value: 'ID',
    help: 'the session of OpenCode, ses_…',
    allowed: clientSessionForm,
    read: (value) => (isClientSession(value) ? value : undefined),
  },
  ...routeFlags,
];

const description: Description = {
  usage: 'opencode --client-session ID [options]',
  about: [
    'Starts a turn in a session of OpenCode when mail wakes the agent, through its',
    'HTTP server: opencode serve. OPENCODE_SERVER_PASSWORD is used if it is set.',
  ],
  flags,
  examples: [
    { line: 'coterie wake opencode --agent builder --client-session ses_4f1', does: 'on the usual port' },
    {
      line: 'coterie wake opencode --agent builder --server http://127.0.0.1:4200 --client-session ses_4f1',
      does: 'on another',
    },
  ],
};

const defaultServer = 'http://127.0.0.1:4096';
const answerMsMax = 20_000;

export const opencode: Command = {
  describe: () => description,
  run(argv) {
    const { own } = readArgs(argv, { command: 'wake opencode', flags });
    const session = own.get('client-session');
    if (session === undefined) {
      throw usage(
        'wake opencode needs a session of OpenCode.',
        'Give --client-session ID; opencode session list has them.',
      );
    }
    const server = withoutEndSlashes(own.get('server') ?? defaultServer);
    return runAdapter(own, {
      kind: 'opencode',
      clientSession: session,
      async pass(text, { signal }) {
        await prompt(server, session, { text, signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]) });
        return 'accepted';
      },
    });
  },
};

async function prompt(
  server: string,
  session: string,
  { text, signal }: { text: string; signal: AbortSignal },
): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch(`${server}/session/${encodeURIComponent(session)}/prompt_async`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...password() },
      body: JSON.stringify({ parts: [{ type: 'text', text }] }),
      signal,
    });
  } catch (cause) {
    throw new PassFailure('OpenCode does not answer', new URL(server).host, { cause });
  }
  await answer.body?.cancel();
  if (answer.status === 404) throw new PassFailure('OpenCode has no such session', session);
  if (answer.status === 401) throw new PassFailure('OpenCode asks for a password', 'set OPENCODE_SERVER_PASSWORD');
  if (!answer.ok) throw new PassFailure(`OpenCode answered with status ${answer.status}`, '');
}

function password(): Record<string, string> {
  const { OPENCODE_SERVER_PASSWORD: secret, OPENCODE_SERVER_USERNAME: name = 'opencode' } = process.env;
  if (secret === undefined || secret === '') return {};
  return { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` };
}
