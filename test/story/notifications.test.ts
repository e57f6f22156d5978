// Threads call their members: notices from `system`, in the words of the session, to those who want to hear them.
import { expect, it } from 'vitest';
import { call, post } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

async function meet(session: string, ...ids: string[]): Promise<void> {
  for (const agentId of ids) await call(hub.url, 'register_agent', { agentId }, { session, agent: agentId });
}
const as = (session: string, agent: string) => ({ session, agent });

/** Takes everything, acknowledged at once, as [sender, text]. */
async function read(session: string, agent: string, input: Record<string, unknown> = {}): Promise<[string, string][]> {
  const { messages } = await call(hub.url, 'get_messages', { ack: 'manual', ...input }, as(session, agent));
  const ids = messages.map(({ id }: { id: string }) => id);
  if (ids.length > 0) await call(hub.url, 'ack_messages', { ids }, as(session, agent));
  return messages.map(({ sender, content }: { sender: string; content: { text: string }[] }) => [
    sender,
    content[0]?.text,
  ]);
}

async function open(session: string, creator: string, participants: string[], more: Record<string, unknown> = {}) {
  const made = { title: 'Plan', participants, ...more };
  return (await call(hub.url, 'create_thread', made, as(session, creator))).threadId as string;
}

it('whoever is put in a new thread learns of it first, then meets the opening message', async () => {
  await meet('new', 'ann', 'ben', 'cas');
  const waiting = call(hub.url, 'wait_for_mentions', { timeoutMs: 20_000 }, as('new', 'ben'));
  const threadId = await open('new', 'ann', ['ben', 'cas'], { initial_message: 'Hello both.' });
  const { messages } = await waiting;
  expect(messages[0]).toMatchObject({
    sender: 'system',
    role: 'SYSTEM',
    why: 'system',
    urgent: true,
    threadId,
    content: [{ type: 'text', text: `You have been added to a new thread "Plan" (${threadId}) by ann.` }],
  });
  expect(await read('new', 'cas')).toEqual([
    ['system', `You have been added to a new thread "Plan" (${threadId}) by ann.`],
    ['ann', 'Hello both.'],
  ]);
  expect(await read('new', 'ann')).toEqual([]);
});

it('added, joined, removed, closed, reopened: each is told to those it concerns and not to the one who acted', async () => {
  await meet('life', 'ann', 'ben', 'cas', 'dan');
  const threadId = await open('life', 'ann', ['ben']);
  await read('life', 'ben');
  const place = `"Plan" (${threadId})`;

  await call(hub.url, 'add_participant', { threadId, participantId: 'cas' }, as('life', 'ben'));
  expect(await read('life', 'cas')).toEqual([
    ['system', `You have been added to the existing thread ${place} by ben.`],
  ]);
  expect(await read('life', 'ann')).toEqual([]);

  await call(hub.url, 'join_thread', { threadId }, as('life', 'dan'));
  expect(await read('life', 'dan')).toEqual([['system', `You have joined the thread ${place}.`]]);
  for (const member of ['ann', 'ben', 'cas']) {
    expect(await read('life', member)).toEqual([['system', `dan has joined the thread ${place}.`]]);
  }
  await call(hub.url, 'join_thread', { threadId }, as('life', 'dan'));
  expect(await read('life', 'ann')).toEqual([]);

  await call(hub.url, 'remove_participant', { threadId, participantId: 'cas' }, as('life', 'ann'));
  const gone = await call(hub.url, 'wait_for_mentions', { timeoutMs: 0, ack: 'manual' }, as('life', 'cas'));
  expect(gone.messages).toMatchObject([
    { sender: 'system', content: [{ text: `You have been removed from the thread ${place} by ann.` }] },
  ]);
  expect(gone.messages[0].threadId).toBeUndefined();
  await call(hub.url, 'leave_thread', { threadId }, as('life', 'dan'));
  expect(await read('life', 'dan')).toEqual([]);

  await call(hub.url, 'close_thread', { threadId, summary: 'Done.' }, as('life', 'ann'));
  expect(await read('life', 'ben')).toEqual([['system', `The thread ${place} was closed by ann. Summary: Done.`]]);
  await call(hub.url, 'reopen_thread', { threadId }, as('life', 'ann'));
  expect(await read('life', 'ben')).toEqual([['system', `The thread ${place} was reopened by ann.`]]);
  expect(await read('life', 'ann')).toEqual([]);
});

it('a session may word its notices; unknown placeholders are refused with the nearest one', async () => {
  await meet('words', 'ann', 'ben');
  const set = (input: Record<string, unknown>) => post(hub.url, 'set_notify_template', input, as('words', 'ann'));
  const refused = await set({ name: 'created', text: 'Welcome to {titel}' });
  expect(refused.body.error).toMatchObject({ code: 'INVALID_INPUT', details: { placeholder: 'titel' } });
  expect(refused.body.error.hint).toContain('{title}');
  expect((await set({ name: 'welcome', text: 'x' })).body.error.code).toBe('INVALID_INPUT');
  const { template } = (await set({ name: 'created', text: '{by} wants you in {title}!' })).body;
  expect(template).toMatchObject({ isDefault: false, preview: 'orchestrator wants you in Release plan!' });
  await open('words', 'ann', ['ben']);
  expect(await read('words', 'ben')).toEqual([['system', 'ann wants you in Plan!']]);
  await set({ name: 'created' });
  const { templates } = await call(hub.url, 'get_notify_templates', {}, as('words', 'ann'));
  expect(templates.every(({ isDefault }: { isDefault: boolean }) => isDefault)).toBe(true);
});

it('a title with a placeholder in it is quoted, not filled in', async () => {
  await meet('quote', 'ann', 'ben');
  const threadId = await open('quote', 'ann', ['ben'], { title: '{by} $& {title}' });
  expect(await read('quote', 'ben')).toEqual([
    ['system', `You have been added to a new thread "{by} $& {title}" (${threadId}) by ann.`],
  ]);
});

it('an agent chooses what wakes it: muted, followed, quiet; urgent passes', async () => {
  await meet('prefs', 'ann', 'ben');
  const [muted, followed] = [await open('prefs', 'ann', ['ben']), await open('prefs', 'ann', ['ben'])];
  await read('prefs', 'ben');
  const prefs = { muteThreads: [muted], followThreads: [followed], muteKinds: ['created', 'closed'] };
  await call(hub.url, 'set_notify_prefs', prefs, as('prefs', 'ben'));
  const post1 = (input: Record<string, unknown>) => call(hub.url, 'send_message', input, as('prefs', 'ann'));
  const woken = async () => {
    const answer = await call(hub.url, 'wait_for_mentions', { timeoutMs: 0, ack: 'manual' }, as('prefs', 'ben'));
    const ids = answer.messages.map(({ id }: { id: string }) => id);
    if (ids.length > 0) await call(hub.url, 'ack_messages', { ids }, as('prefs', 'ben'));
    return answer.messages.map(({ content }: { content: { text: string }[] }) => content[0]?.text);
  };
  await post1({ threadId: muted, message: 'a mention in a muted thread', mentions: ['ben'] });
  await post1({ threadId: followed, message: 'a plain post in a followed thread' });
  await post1({ threadId: muted, message: 'urgent in a muted thread', urgent: true });
  await open('prefs', 'ann', ['ben']);
  expect(await woken()).toEqual(['a plain post in a followed thread', 'urgent in a muted thread']);
  // What is muted is still there to be read.
  expect(await read('prefs', 'ben')).toEqual([['ann', 'a mention in a muted thread']]);

  await call(hub.url, 'set_notify_prefs', { quiet: true }, as('prefs', 'ben'));
  await post1({ target: 'ben', message: 'direct' });
  await post1({ target: 'ben', message: 'now', action: 'interrupt' });
  expect(await woken()).toEqual(['now']);
  const kept = await call(hub.url, 'get_notify_prefs', {}, as('prefs', 'ben'));
  expect(kept.prefs).toMatchObject({ ...prefs, quiet: true });
});

it('one’s own removal cannot be muted', async () => {
  await meet('must', 'ann', 'ben');
  const { body } = await post(hub.url, 'set_notify_prefs', { muteKinds: ['removed'] }, as('must', 'ben'));
  expect(body.error).toMatchObject({ code: 'INVALID_INPUT' });
  const threadId = await open('must', 'ann', ['ben']);
  await read('must', 'ben');
  await call(hub.url, 'set_notify_prefs', { muteThreads: [threadId] }, as('must', 'ben'));
  await call(hub.url, 'remove_participant', { threadId, participantId: 'ben' }, as('must', 'ann'));
  expect(await read('must', 'ben')).toHaveLength(1);
});
