// All that is done on the hub's page is in the audit log, each act once: by a person, by an administrator, and in open mode.
import { beforeAll, describe, expect, it } from 'vitest';
import { actsOnPage } from '../../dist/access/audit-page.js';
import { operationList } from '../../dist/contract/operations/index.js';
import type { Store } from '../../dist/ports/store.js';
import { hubsAt } from '../support/hub-team.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { call as openCall } from '../support/http-call.js';
import { postFromPage } from '../support/test-device.js';
import { useHub } from '../support/use-hub.js';

interface Entry {
  id: number;
  actor: string;
  act: string;
  target?: string;
  keyId?: string;
}

let isLogFull = false;
const wrapStore = (store: Store): Store => ({
  ...store,
  appendAudit: (entry) => (isLogFull ? Promise.reject(new Error('no room')) : store.appendAudit(entry)),
});
const rights = { boss: ['send', 'read', 'signal', 'admin'] as const, ben: agentRights };
const team = useKeyedHub({ boss: [...rights.boss], ben: rights.ben }, { wrapStore });
const { hub } = team;
const cookies = { ann: '', boss: '' };
let annsKeyId = '';

beforeAll(async () => {
  const { text, id } = await team.makePerson('ann');
  annsKeyId = id;
  const signIn = async (key: string) =>
    (await postFromPage(hub.url, '/app/sign-in/key', { body: { key } })).cookie ?? '';
  cookies.ann = await signIn(text);
  cookies.boss = await signIn(team.key('boss'));
});

const entries = async (): Promise<Entry[]> => (await team.call('boss', 'list_audit', { limit: 50 })).entries;

async function onPage(who: keyof typeof cookies, operation: string, input: object = {}) {
  const before = (await entries())[0]?.id ?? 0;
  const { status, body } = await postFromPage(hub.url, `/v1/${operation}`, { body: input, cookie: cookies[who] });
  return { status, body, added: (await entries()).filter(({ id }) => id > before) };
}

describe('on the page', () => {
  it('what a person does as a member is recorded', async () => {
    const created = await onPage('ann', 'create_thread', { title: 'T', participants: ['ben'] });
    const { threadId } = created.body;
    expect(created.added).toMatchObject([{ actor: 'ann', act: 'create_thread', target: threadId, keyId: annsKeyId }]);
    const posted = await onPage('ann', 'send_message', { threadId, content: 'a-secret-word' });
    expect(posted.added).toMatchObject([{ actor: 'ann', act: 'send_message', target: posted.body.messageId }]);
    expect(JSON.stringify(posted.added)).not.toContain('a-secret-word');
    const { questionId } = await team.call('ben', 'ask_question', { question: 'Go?', options: ['Yes', 'No'] });
    for (const [operation, input, target] of [
      ['answer_question', { questionId, option: 1 }, questionId],
      ['close_thread', { threadId, summary: 'done' }, threadId],
      ['reopen_thread', { threadId }, threadId],
      ['leave_thread', { threadId }, threadId],
      ['set_notify_prefs', { quiet: true }, 'ann'],
      ['set_person_prefs', {}, undefined],
    ] as const) {
      const { status, added } = await onPage('ann', operation, input);
      expect([operation, status]).toEqual([operation, 200]);
      expect(added.map(({ actor, act, target: to }) => [actor, act, to])).toEqual([['ann', operation, target]]);
    }
  });

  it('what an administrator does is recorded once', async () => {
    const { threadId } = await team.call('ben', 'create_thread', { title: 'Ben’s', participants: [] });
    await team.post('ben', 'send_message', { target: 'nobody', message: 'x' });
    const { deadLetters } = await team.call('boss', 'get_dead_letters');
    const { messageId } = await team.call('ben', 'send_message', { threadId, content: 'x' });
    const made = await onPage('boss', 'create_key', { agentId: 'zoe' });
    expect(made.added).toMatchObject([{ actor: 'boss', act: 'create_key' }]);
    for (const [operation, input, target] of [
      ['set_group', { name: 'crew', members: ['ben'] }, 'crew'],
      ['remove_group', { name: 'crew' }, 'crew'],
      ['set_notify_prefs', { agent: 'ben', quiet: false }, 'ben'],
      ['set_notify_template', { name: 'closed', text: 'x' }, 'closed'],
      ['discard_dead_letter', { id: deadLetters[0].id }, deadLetters[0].id],
      ['redact_message', { messageId }, messageId],
      ['close_thread', { threadId }, threadId],
      ['create_session', { sessionId: 'other' }, 'other'],
      ['rotate_key', { keyId: made.body.key.id }, made.body.key.id],
      ['revoke_key', { keyId: made.body.key.id }, made.body.key.id],
    ] as const) {
      const { status, added } = await onPage('boss', operation, input);
      expect([operation, status]).toEqual([operation, 200]);
      expect(added.map(({ actor, act, target: to }) => [actor, act, to])).toEqual([['boss', operation, target]]);
    }
  });

  it('what is refused, reads, or changes nothing is not', async () => {
    for (const [operation, input] of [
      ['send_message', { threadId: 't000000000000', content: 'x' }],
      ['create_thread', {}],
      ['get_messages', {}],
      ['list_threads', {}],
    ] as const) {
      expect((await onPage('ann', operation, input)).added).toEqual([]);
    }
  });

  it('an act that cannot be recorded is still done, and answered', async () => {
    isLogFull = true;
    try {
      const { status } = await postFromPage(hub.url, '/v1/create_thread', {
        body: { title: 'U' },
        cookie: cookies.ann,
      });
      expect(status).toBe(200);
    } finally {
      isLogFull = false;
    }
  });
});

it('programs are not recorded for what is their own', async () => {
  const before = (await entries())[0]?.id;
  const { threadId } = await team.call('ben', 'create_thread', { title: 'V', participants: [] });
  await team.call('ben', 'send_message', { threadId, content: 'x' });
  expect((await entries())[0]?.id).toBe(before);
});

describe('in open mode', () => {
  const open = useHub();
  it('the page’s acts are recorded too, by the name it speaks for', async () => {
    const [url = ''] = hubsAt(open.url);
    const headers = { origin: new URL(url).origin, 'content-type': 'application/json', 'coterie-agent': 'me' };
    const asked = { method: 'POST', headers, body: '{"title":"T"}' };
    expect(await (await fetch(`${url}/v1/create_thread`, asked)).json()).toMatchObject({ success: true });
    const { entries: listed } = await openCall(open.url, 'list_audit', {});
    expect(listed).toMatchObject([{ actor: 'me', act: 'create_thread' }]);
  });
});

/** Their entry is in the transaction of the act. */
const recordedWithin = [
  'join_thread',
  'leave_thread',
  'add_participant',
  'remove_participant',
  'close_thread',
  'reopen_thread',
  'set_group',
  'remove_group',
  'set_notify_prefs',
  'set_notify_template',
  'replay_dead_letter',
  'discard_dead_letter',
  'remove_agent',
  'create_key',
  'create_observer_link',
  'revoke_key',
  'rotate_key',
  'create_session',
  'close_session',
  'redact_message',
  'import_session',
  'revoke_device',
  'rename_device',
  'verify_device',
];
/** Reading with receipts, what programs say of themselves, and what the page does by itself. */
const noActs = [
  'get_messages',
  'ack_messages',
  'wait_for_mentions',
  'wait_for_responses',
  'register_agent',
  'set_agent_key',
  'share_signal',
  'test_channel',
  'send_sealed',
  'cancel_question',
  'await_wake',
  'report_wake',
];

it('no operation that changes something is forgotten', () => {
  const changing = operationList.filter(({ effect }) => effect !== 'reads').map(({ name }) => name);
  expect(changing.toSorted()).toEqual([...actsOnPage, ...recordedWithin, ...noActs].toSorted());
});
