// The last call of a large import works in steps: others are served meanwhile, nobody sees half of it, and a hub that dies in the
// middle leaves nothing.
import { hash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { exportLines } from '../support/transfer.js';
import { world } from '../support/world.js';

const messages = 20_000;
const target = 'moved';
let hub: HubProcess;
let lines: string[];

type Fields = Record<string, unknown>;

/** The export of a session with two agents and one message, as if it had many. */
function multiplied(small: readonly string[], count: number): string[] {
  const all = small.map((line) => JSON.parse(line) as Fields);
  const [header, session] = all;
  const of = (kind: string) => all.filter((line) => line['kind'] === kind);
  const [message, copy] = [of('message')[0], of('copy')[0]];
  const many = Array.from({ length: count }, (_, index) => [
    { ...message, seq: index + 1 },
    { ...copy, seq: index + 1 },
  ]);
  const body: (Fields | undefined)[] = [
    session,
    ...many.flat(),
    ...all.slice(2, -1).filter(({ kind }) => kind !== 'message' && kind !== 'copy'),
  ];
  const counts: Record<string, number> = {};
  for (const line of body) counts[String(line?.['kind'])] = (counts[String(line?.['kind'])] ?? 0) + 1;
  const written = [{ ...header, lastSeq: count }, ...body].map((line) => JSON.stringify(line));
  const sha256 = written.reduce((before, line) => hash('sha256', before + line, 'hex'), '');
  return [...written, JSON.stringify({ kind: 'end', lines: written.length, counts, sha256 })];
}

beforeAll(async () => {
  hub = await startHubProcess();
  const as = { session: 'small' };
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, as);
  await call(hub.url, 'send_message', { target: 'ben', content: 'One of many' }, { agent: 'ann', ...as });
  lines = multiplied(await exportLines(hub.url, 'small'), messages);
  for (const agentId of ['busy', 'idle']) await call(hub.url, 'register_agent', { agentId }, { agent: agentId });
});

/** All parts are there; only the last call is missing. */
async function stage(sessionId: string): Promise<Fields> {
  const perPart = 10_000;
  let importId: string | undefined;
  let part = 0;
  for (let from = 0; from < lines.length; from += perPart) {
    part += 1;
    const given = lines.slice(from, from + perPart).join('\n');
    ({ importId } = await call(hub.url, 'import_session', { lines: given, part, sessionId, importId }));
  }
  return { importId, part: part + 1, sessionId, lines: '', done: true };
}

/** The last call, and `meanwhile` again and again until it is answered. Returns how often. */
async function finish(staged: Fields, meanwhile: () => Promise<void>) {
  const state: { answer?: Awaited<ReturnType<typeof post>> } = {};
  const finishing = post(hub.url, 'import_session', staged).then((answer) => (state.answer = answer));
  let times = 0;
  for (; state.answer === undefined; times += 1) await meanwhile();
  return { answer: await finishing, times };
}

const send = () =>
  call(hub.url, 'send_message', { target: 'idle', content: 'hello' }, { agent: 'busy' }).then(() => {});

const everything = { source: 'ann', limit: 1 };

it(
  'others are served between its steps, and see nothing of the session',
  { tags: ['long'], timeout: 240_000 },
  async () => {
    const staged = await stage(target);
    const codes = new Set<string>();
    const seen = new Set<number>();
    const look = async (operation: string, input: Fields, as: { agent?: string } = {}) => {
      const { status, body } = await post(hub.url, operation, input, { ...as, session: target });
      if (status !== 200) codes.add(body.error.code);
      for (const { seq } of body.messages ?? []) seen.add(seq);
    };
    const { answer, times } = await finish(staged, async () => {
      await send();
      await look('query_message_history', everything);
      await look('get_messages', { sessionId: 'ben', markAsRead: false, limit: 1 });
      // Before its first step a caller with a name would begin such a session.
      if (codes.has('BUSY')) await look('list_threads', {}, { agent: 'cyn' });
      const { sessions } = await call(hub.url, 'list_sessions', {});
      if (sessions.some(({ sessionId }: Fields) => sessionId === target)) codes.add('listed');
    });
    expect(answer).toMatchObject({ status: 200, body: { done: true, counts: { message: messages } } });
    // If they were held up until its end, the first of them would be.
    expect(times).toBeGreaterThan(1);
    expect(codes).toContain('BUSY');
    // After its last step: the newest of all, and the oldest of the inbox.
    expect([...seen].filter((seq) => seq !== messages && seq !== 1)).toEqual([]);
    const history = await call(hub.url, 'query_message_history', everything, { session: target });
    expect(history.messages[0]).toMatchObject({ seq: messages });
    const { unread } = await call(hub.url, 'list_agents', {}, { agent: 'ben', session: target });
    expect(unread).toBeGreaterThan(0);
  },
);

it(
  'a hub that is killed in the middle leaves nothing, and it can be repeated',
  { tags: ['long'], timeout: 240_000 },
  async () => {
    const name = 'cut';
    const staged = await stage(name);
    const finishing = post(hub.url, 'import_session', staged).then(
      () => 'answered',
      () => 'cut',
    );
    // Until its first rows are there: then nobody can begin such a session.
    for (;;) {
      const { status } = await post(hub.url, 'list_agents', {}, { session: name });
      if (status !== 200) break;
    }
    await hub.kill();
    expect(await finishing).toBe('cut');
    const { data } = hub;
    hub = await startHubProcess({ data });
    const { sessions } = await call(hub.url, 'list_sessions', {});
    expect(sessions.map(({ sessionId }: Fields) => sessionId)).not.toContain(name);
    const seen = await post(hub.url, 'query_message_history', everything, { session: name });
    expect(seen.status === 200 ? seen.body.messages : seen.body.error.code).toEqual(seen.status === 200 ? [] : 'BUSY');
    // On a database another hub may still be at it: the name is free after 15 s.
    const again = world === 'sqlite' ? name : 'another';
    const { answer } = await finish(await stage(again), send);
    expect(answer).toMatchObject({ status: 200, body: { done: true, sessionId: again } });
    const history = await call(hub.url, 'query_message_history', everything, { session: again });
    expect(history.messages[0]).toMatchObject({ seq: messages });
  },
);
