// A permission prompt as a client's hook gets it, on a hub with a paired device.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pinDevice, pinsFileName } from '../../dist/files/pins.js';
import { seal, type SignalKeys } from '../../dist/signal/envelope/index.js';
import type { Envelope } from '../../dist/contract/signal/signal.js';
import type { QuestionView } from '../../dist/contract/signal/question.js';
import { startCli, type Running } from '../cli/run-cli.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import { call, type CallAs } from '../support/http-call.js';
import { hubKidOf, newLinkSecret, TestDevice } from '../support/test-device.js';

export const person = 'me';

/** What Claude Code writes to the hook. */
export function claudePrompt(command: string, more: object = {}): string {
  return JSON.stringify({
    session_id: 'f30bfb3b',
    cwd: '/work/shop',
    permission_mode: 'default',
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: { command, description: 'run it' },
    ...more,
  });
}

export interface HookRun {
  url: string;
  home: string;
  stdin: string;
  args?: string[];
  env?: NodeJS.ProcessEnv;
}

export function startHook({ url, home, stdin, args = [], env = {} }: HookRun): Running {
  return startCli(['hook', 'permission', '--url', url, ...args], {
    stdin,
    env: { HOME: home, XDG_DATA_HOME: home, ...env },
  });
}

/** Paired by a link, and verified at the hub. */
export async function verifiedDevice(url: string, sender: CallAs = { agent: person }): Promise<TestDevice> {
  const device = await TestDevice.make();
  const { secret, claimHash } = await newLinkSecret();
  const { pairingId, person: paired = person } = await call(url, 'start_pairing', { claimHash }, sender);
  await device.pairByLink(url, { pairingId, secret, person: paired });
  await call(url, 'verify_device', { deviceId: device.id }, sender);
  return device;
}

/** As `coterie pair` does on the machine where the hook runs. */
export async function pin(url: string, home: string, { keys }: TestDevice): Promise<void> {
  const pinned = { person, session: 'default', name: 'Phone', pinnedAt: new Date().toISOString() };
  pinDevice(join(home, 'coterie', pinsFileName), await hubKidOf(url), { kid: keys.public.kid, ...pinned });
}

/** The prompt that waits for an answer, as the device gets it. */
export async function promptOn(url: string, device: TestDevice): Promise<QuestionView> {
  let found: QuestionView | undefined;
  await eventually('a permission prompt', async () => {
    const { questions } = await device.call(url, 'list_questions', { status: 'pending' });
    found = questions.find(({ kind }: QuestionView) => kind === 'permission');
    return found !== undefined;
  });
  if (found === undefined) throw new Error('no prompt');
  return found;
}

export interface Said {
  option: number | null;
  response: string;
}

/** The answer of a device, or of whoever has keys. */
export async function sealedAnswer(
  keys: SignalKeys,
  question: QuestionView,
  said: Said,
  header: object = {},
): Promise<Envelope> {
  const { senderKeys, id, callHash } = question;
  if (senderKeys === undefined || callHash === undefined) throw new Error('not a permission prompt');
  const own = { use: 'answer' as const, session: 'default', id, at: Date.now(), callHash, status: 'answered' as const };
  return seal(keys, [senderKeys], { header: { ...own, ...header }, payload: said });
}

export async function answerFrom(url: string, device: TestDevice, question: QuestionView, said: Said): Promise<void> {
  const sealed = await sealedAnswer(device.keys, question, said);
  await device.call(url, 'answer_question', { questionId: question.id, sealed });
}

/** A hub that makes up the response to a question, and does all else as it should. */
export async function hostileHub(url: string, responseOf: () => Promise<object>): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const text = Buffer.concat(await request.toArray()).toString();
      const { 'content-type': type = '', 'coterie-agent': agent = '' } = request.headers;
      const headers = { 'content-type': type, 'coterie-agent': String(agent) };
      const isForged = request.url === '/v1/get_response';
      const forward = () =>
        fetch(`${url}${request.url}`, { method: 'POST', headers, body: text }).then((answer) => answer.json());
      const body: unknown = await (isForged ? responseOf() : forward());
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpAfter(async () => {
    server.closeAllConnections();
    server.close();
    await Promise.resolve();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
