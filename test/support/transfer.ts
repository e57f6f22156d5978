// A session with something of everything, its export, and its import.
import { expect } from 'vitest';
import { eventually } from './eventually.js';
import { call, post } from './http-call.js';

type Fields = Record<string, unknown>;

export const picture = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 251)).toString('base64');

export interface FullSession {
  threadId: string;
  pictureId: string;
  keyedId: string;
}

export const keyed = { target: 'ben', content: 'Only once', idempotencyKey: 'a "key" \u{1F600}' };

export async function fillSession(url: string, session: string): Promise<FullSession> {
  const as = (agent: string, operation: string, input: Fields) => call(url, operation, input, { agent, session });
  for (const id of ['ann', 'ben', 'cas', 'dan', 'eve', 'gone']) {
    await as(id, 'register_agent', { description: `I am ${id}`, capabilities: ['a "b"'] });
  }
  await as('ann', 'set_group', { name: 'council', members: ['ben', 'cas', 'nobody-yet'] });
  await as('dan', 'set_notify_prefs', { quiet: true });
  await as('cas', 'set_notify_prefs', { digestCount: 2 });
  await as('ann', 'set_notify_template', { name: 'added', text: 'Welcome to {title}' });
  const { threadId } = await as('ann', 'create_thread', { title: 'Züge 🚂', participants: ['ben', 'cas'] });
  for (const title of ['One', 'Two', 'Three', 'Four']) {
    await as('ann', 'create_thread', { title, participants: ['cas'], idempotencyKey: title });
  }
  const secret = await as('ben', 'create_thread', { title: 'Secret', participants: ['eve'], private: true });
  await as('eve', 'send_message', { threadId: secret.threadId, content: 'Psst' });
  const { messageId: keyedId } = await as('ann', 'send_message', keyed);
  const rich = {
    threadId,
    content: 'The railway timetable, @ben',
    type: 'STATUS',
    receipt: 'read',
    context: 'Where',
    payload: { b: [1, { c: null }] },
    metadata: { m: 'ü' },
    priority: 'high',
  };
  await as('ann', 'send_message', rich);
  await as('ann', 'send_message', { threadId: 'a label', target: 'ben', content: 'Filed', action: 'interrupt' });
  const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: picture } };
  const shown = [{ type: 'text', text: 'Look' }, image];
  const { messageId: pictureId } = await as('ben', 'send_message', { target: 'dan', content: shown });
  await as('ben', 'send_message', { threadId, content: shown });
  await as('ann', 'send_message', { target: 'council', content: 'A word to the council' });
  await post(url, 'send_message', { target: 'nobody', content: 'Anyone there?' }, { agent: 'ann', session });
  await post(url, 'send_message', { target: 'builders', content: 'Anyone here?' }, { agent: 'ann', session });
  await as('ann', 'send_message', { target: 'dan', content: 'For an hour', ttl: 3_600 });
  await as('ann', 'send_message', { target: 'dan', content: 'For a second', ttl: 1 });
  const asked = as('ann', 'create_critical_thread', {
    title: 'Deploy?',
    participants: ['ben', 'cas'],
    initial_message: 'Shall we?',
    wait_for_responses: 1,
    timeout_ms: 20_000,
  });
  const criticalId = await eventually('the critical thread is there', async () => {
    const { threads } = await as('ben', 'list_threads', {});
    return threads.find(({ title }: Fields) => title === 'Deploy?')?.threadId;
  });
  const { cursor } = await as('ben', 'wait_for_mentions', { timeoutMs: 20_000, ack: 'manual' });
  await as('ben', 'ack_messages', { cursor });
  await as('ben', 'send_message', { threadId: criticalId, content: 'Yes' });
  await asked;
  await as('gone', 'send_message', { target: 'ben', content: 'I was here' });
  await as('ann', 'send_message', { target: 'gone', content: 'Too late' });
  await as('gone', 'remove_agent', { agentId: 'gone' });
  // Reading makes a digest of the notices; it stays in doubt.
  await as('cas', 'wait_for_mentions', { timeoutMs: 0, ack: 'manual' });
  await as('ann', 'close_thread', { threadId, summary: 'All said' });
  await as('ann', 'send_message', { target: 'eve', content: 'In doubt' });
  await as('eve', 'get_messages', { ack: 'manual' });
  await eventually('the second is over', async () => {
    const { deadLetters } = await as('ann', 'get_dead_letters', { limit: 50 });
    return deadLetters.some(({ reason }: Fields) => reason === 'EXPIRED');
  });
  return { threadId, pictureId, keyedId };
}

export async function exportLines(url: string, session: string): Promise<string[]> {
  let text = '';
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await call(url, 'export_session', cursor === undefined ? {} : { cursor }, { session });
    text += page.lines;
    expect(page.hasMore).toBe(page.cursor !== null);
    cursor = page.cursor;
  }
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
}

/** In parts of so many lines. Returns the last answer, which may be a refusal. */
export async function importLines(
  url: string,
  lines: readonly string[],
  { sessionId, perPart = lines.length }: { sessionId: string; perPart?: number },
) {
  let importId: string | undefined;
  for (let from = 0, part = 1; ; from += perPart, part += 1) {
    const done = from + perPart >= lines.length;
    const given = lines.slice(from, from + perPart).join('\n');
    const answer = await post(url, 'import_session', { lines: given, part, done, sessionId, importId });
    if (done || answer.status !== 200) return answer;
    ({ importId } = answer.body);
  }
}

/** Without what must differ: the header, the hash of the lines, and the order of keys, which is the store's. */
export function comparable(lines: readonly string[]): string[] {
  const isKey = (line: string) => line.startsWith('{"kind":"idempotencyKey"');
  const body = lines.slice(1, -1);
  return [...body.filter((line) => !isKey(line)), ...body.filter(isKey).toSorted()];
}
