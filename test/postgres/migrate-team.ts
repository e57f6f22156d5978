// A team with something of everything a store keeps, and what its members see of it.
import { Client, escapeIdentifier } from 'pg';
import { call, post } from '../support/http-call.js';
import { startHubProcess, type HubProcess, type HubProcessOptions } from '../support/hub-process.js';
import { TestDevice } from '../support/test-device.js';

type Fields = Record<string, unknown>;

export const embedded = { COTERIE_DATABASE_URL: '' };

export function hubOn(address: string, options: HubProcessOptions = {}): Promise<HubProcess> {
  return startHubProcess({ ...options, env: { COTERIE_DATABASE_URL: address } });
}

function serverUrl(): URL {
  return new URL(process.env['COTERIE_TEST_POSTGRES_URL'] ?? '');
}

/** Empty, or as another one is. */
export async function createDatabase(name: string, like?: string): Promise<string> {
  const template = like === undefined ? 'template1' : new URL(like).pathname.slice(1);
  await onDatabase(serverUrl().href, (client) =>
    client.query(`create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)}`),
  );
  const address = serverUrl();
  address.pathname = `/${name}`;
  return address.href;
}

export async function dropDatabase(address: string): Promise<void> {
  const name = escapeIdentifier(new URL(address).pathname.slice(1));
  await onDatabase(serverUrl().href, (client) => client.query(`drop database if exists ${name} with (force)`));
}

export async function onDatabase<Result>(address: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(address);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

export const members = ['ann', 'ben', 'cas', 'dan'];
export const picture = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251)).toString('base64');

export interface Team {
  threadId: string;
  criticalId: string;
  pictureId: string;
  /** Handed out to eve and not acknowledged. */
  doubtfulId: string;
  keyedId: string;
}

export const keyed = { target: 'ben', content: 'Only once', idempotencyKey: 'a "key" \u{1F600}' };
export const keyedThread = { title: 'Once', participants: ['ben'], idempotencyKey: 'a' };

export async function makeTeam(url: string): Promise<Team> {
  const as = (agent: string, operation: string, input: Fields) => call(url, operation, input, { agent });
  await call(url, 'register_agent', { agentId: 'zoe' }, { session: 'other' });
  await call(url, 'send_message', { target: 'zoe', content: 'Elsewhere' }, { agent: 'yan', session: 'other' });
  for (const agentId of [...members, 'eve']) await as(agentId, 'register_agent', { description: `I am ${agentId}` });
  await as('ann', 'set_group', { name: 'council', members: ['ben', 'cas'] });
  await as('dan', 'set_notify_prefs', { quiet: true });
  await as('ann', 'set_notify_template', { name: 'added', text: 'Welcome to {title}' });
  const { threadId } = await as('ann', 'create_thread', { title: 'Züge 🚂', participants: ['ben', 'cas'] });
  await as('ann', 'create_thread', keyedThread);
  // Keys whose order as JSON is not the order of their texts.
  for (const key of ['a', 'a!', 'a"', '\\', 'z\u{1F600}', 'z\uFFEE'])
    await as('cas', 'send_message', { target: 'ann', content: `key ${key}`, idempotencyKey: key });
  const { messageId: keyedId } = await as('ann', 'send_message', keyed);
  await as('ann', 'send_message', {
    threadId,
    content: 'The railway timetable, @ben',
    type: 'STATUS',
    receipt: 'read',
  });
  await as('cas', 'send_message', { target: 'council', content: 'A word to the council' });
  const image = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: picture } };
  const shown = [{ type: 'text', text: 'Look' }, image];
  const { messageId: pictureId } = await as('ben', 'send_message', { target: 'dan', content: shown });
  await as('ben', 'send_message', { threadId, content: shown });
  await post(url, 'send_message', { target: 'nobody', content: 'Anyone there?' }, { agent: 'ann' });
  await as('ann', 'send_message', { target: 'dan', content: 'For an hour', ttl: 3_600 });
  const critical = { title: 'Deploy?', participants: ['ben', 'cas'], initial_message: 'Shall we?' };
  const asked = as('ann', 'create_critical_thread', { ...critical, wait_for_responses: 1, timeout_ms: 20_000 });
  const opening = await call(url, 'wait_for_mentions', { timeoutMs: 20_000, ack: 'manual' }, { agent: 'ben' });
  await as('ben', 'ack_messages', { cursor: opening.cursor });
  const criticalId = await newestThread(url);
  await as('ben', 'send_message', { threadId: criticalId, content: 'Yes' });
  await asked;
  await askPerson(url);
  await as('ann', 'send_message', { target: 'eve', content: 'In doubt' });
  const { messages } = await as('eve', 'get_messages', { ack: 'manual' });
  return { threadId, criticalId, pictureId, keyedId, doubtfulId: messages[0].id };
}

async function askPerson(url: string): Promise<void> {
  const phone = await TestDevice.make();
  await phone.pairOnPage(url);
  await phone.call(url, 'set_person_prefs', { quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC' } });
  const asked = { question: 'Which gauge?', options: ['Broad', 'Narrow'] };
  const { questionId } = await call(url, 'ask_question', asked, { agent: 'ann' });
  await phone.call(url, 'answer_question', { questionId, option: 1 });
  await call(url, 'ask_question', { question: 'And where to?' }, { agent: 'ann' });
}

async function newestThread(url: string): Promise<string> {
  for (;;) {
    const { threads } = await call(url, 'list_threads', { limit: 1 }, { agent: 'ann' });
    if (threads[0]?.title === 'Deploy?') return threads[0].threadId;
  }
}

/** More of the same, as it goes on while a copy is made: reading, leaving, writing. */
export async function goOn(url: string, { threadId }: Team): Promise<void> {
  const as = (agent: string, operation: string, input: Fields) => call(url, operation, input, { agent });
  const { cursor } = await as('cas', 'get_messages', { ack: 'manual', limit: 2 });
  await as('cas', 'ack_messages', { cursor });
  await as('cas', 'leave_thread', { threadId });
  await as('ben', 'send_message', { threadId, content: 'Said while the copy was made' });
  await as('dan', 'set_notify_prefs', { quiet: false });
  await as('ann', 'remove_group', { name: 'council' });
  const letters = await as('ann', 'get_dead_letters', {});
  await as('ann', 'discard_dead_letter', { deadLetterId: letters.deadLetters[0].id });
  await post(url, 'send_message', { target: 'no-one', content: 'Hello?' }, { agent: 'ann' });
}

/** Everything the members can see; changes nothing. What depends on the moment or on the hub is left out. */
export async function lookAround(url: string, { threadId, criticalId, pictureId }: Team): Promise<unknown> {
  const as = (agent: string, operation: string, input: Fields) => call(url, operation, input, { agent });
  const seen: Record<string, unknown> = {};
  for (const agent of members) {
    seen[`inbox of ${agent}`] = await as(agent, 'get_messages', { markAsRead: false, limit: 500 });
    seen[`recent of ${agent}`] = await as(agent, 'get_messages', { include: 'recent', limit: 100 });
    seen[`outbox of ${agent}`] = await as(agent, 'get_sent_messages', { limit: 50 });
    seen[`history of ${agent}`] = await as('ann', 'query_message_history', { source: agent, limit: 100 });
    seen[`prefs of ${agent}`] = await as(agent, 'get_notify_prefs', {});
  }
  const { messages } = seen['history of ann'] as { messages: { id: string }[] };
  for (const { id } of messages) seen[`receipts of ${id}`] = await as('ann', 'get_receipts', { messageId: id });
  for (const id of [threadId, criticalId]) seen[`thread ${id}`] = await as('ann', 'get_thread', { threadId: id });
  seen['threads'] = await as('ann', 'list_threads', {});
  seen['groups'] = await as('ann', 'list_groups', {});
  seen['agents'] = await as('ann', 'list_agents', {});
  seen['templates'] = await as('ann', 'get_notify_templates', {});
  seen['dead letters'] = await as('ann', 'get_dead_letters', {});
  seen['picture'] = await as('dan', 'get_attachment', { messageId: pictureId });
  seen['questions'] = await as('ann', 'list_questions', {});
  seen['found'] = await as('ann', 'search_messages', { query: 'railway timetable' });
  seen['responses'] = await as('ann', 'wait_for_responses', { threadId: criticalId, timeout_ms: 1_000 });
  return JSON.parse(JSON.stringify(seen, (name, value: unknown) => (isLasting(name, value) ? value : undefined)));
}

const ofTheMoment = new Set(['connections', 'presence', 'lastSeen', 'cursor', 'waitedMs']);

/** The copy in doubt, which is eve's, becomes free. */
function isLasting(name: string, value: unknown): boolean {
  if (ofTheMoment.has(name)) return false;
  if (typeof value !== 'object' || value === null) return true;
  return !('recipient' in value && value.recipient === 'eve') && !('id' in value && value.id === 'eve');
}

/** More messages and copies than travel at once. */
export async function talkMuch(url: string): Promise<void> {
  const sends = Array.from({ length: 300 }, (_, index) => ({ target: 'all', content: `Number ${index}` }));
  await Promise.all(sends.map((input) => call(url, 'send_message', input, { agent: 'ann' })));
  for (const agent of ['ben', 'cas', 'dan', 'eve']) {
    const { cursor } = await call(url, 'get_messages', { ack: 'manual', limit: 500 }, { agent });
    await call(url, 'ack_messages', { cursor }, { agent });
  }
}
