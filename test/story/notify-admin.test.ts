// An administrator sees and changes what wakes another member; nobody else does, and every look and change is recorded.
import { beforeAll, describe, expect, it } from 'vitest';
import { connectMcp } from '../support/mcp-clients.js';
import { call as openCall, post as openPost } from '../support/http-call.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { postFromPage } from '../support/test-device.js';
import { useHub } from '../support/use-hub.js';

interface Entry {
  id: number;
  actor: string;
  act: string;
  target?: string;
  details?: Record<string, unknown>;
}

const rights = { ann: agentRights, ben: agentRights, boss: ['admin' as const] };
const { hub, key, post, call, makePerson } = useKeyedHub(rights);

const entries = async (): Promise<Entry[]> => (await call('boss', 'list_audit', { limit: 50 })).entries;

async function addedBy(work: () => Promise<unknown>): Promise<Entry[]> {
  const before = (await entries())[0]?.id ?? 0;
  await work();
  return (await entries()).filter(({ id }) => id > before);
}

describe('with keys', () => {
  beforeAll(async () => {
    await makePerson('pia');
  });

  it('an admin changes what wakes another, who is woken by that from then on', async () => {
    const changed = await call('boss', 'set_notify_prefs', { agent: 'ben', quiet: true, muteKinds: ['closed'] });
    expect(changed).toMatchObject({ success: true, agentId: 'ben', prefs: { quiet: true, muteKinds: ['closed'] } });
    const { prefs } = await call('ben', 'get_notify_prefs');
    expect(prefs).toEqual(changed.prefs);
    expect(await call('boss', 'get_notify_prefs', { agent: '@ben' })).toMatchObject({ agentId: 'ben', prefs });
    expect((await call('boss', 'get_notify_prefs')).prefs).toMatchObject({ quiet: false, muteKinds: [] });

    await call('ann', 'send_message', { target: 'ben', message: 'direct' });
    expect((await call('ben', 'wait_for_mentions', { timeoutMs: 0 })).messages).toEqual([]);
    await call('boss', 'set_notify_prefs', { agent: 'ben', quiet: false });
    expect((await call('ben', 'get_notify_prefs')).prefs).toMatchObject({ quiet: false, muteKinds: ['closed'] });
    await call('ann', 'send_message', { target: 'ben', message: 'again' });
    const { messages } = await call('ben', 'wait_for_mentions', { timeoutMs: 0 });
    expect(messages).toMatchObject([{ content: [{ text: 'again' }] }]);
  });

  it('a thread’s title is that of a thread of the member', async () => {
    const open = (who: string) => call(who, 'create_thread', { title: 'Plan', participants: [] });
    const [ofBoss, ofBen] = [await open('boss'), await open('ben')];
    const { prefs } = await call('boss', 'set_notify_prefs', { agent: 'ben', muteThreads: ['Plan'] });
    expect(prefs.muteThreads).toEqual([ofBen.threadId]);
    await open('ben');
    const { body } = await post('boss', 'set_notify_prefs', { agent: 'ben', followThreads: ['Plan'] });
    expect(body.error).toMatchObject({ code: 'THREAD_UNKNOWN' });
    expect(JSON.stringify(body.error)).not.toContain(ofBoss.threadId);
  });

  it('each look and each change is recorded once, one’s own are not', async () => {
    expect(await addedBy(() => call('boss', 'get_notify_prefs', { agent: 'ben' }))).toMatchObject([
      { actor: 'boss', act: 'get_notify_prefs', target: 'ben' },
    ]);
    const set = { agent: 'ben', digestCount: 3 };
    const change = { actor: 'boss', act: 'set_notify_prefs', target: 'ben', details: { changed: ['digestCount'] } };
    expect(await addedBy(() => call('boss', 'set_notify_prefs', set))).toMatchObject([change]);
    const { cookie } = await postFromPage(hub.url, '/app/sign-in/key', { body: { key: key('boss') } });
    const onPage = { body: set, cookie: cookie ?? '' };
    expect(await addedBy(() => postFromPage(hub.url, '/v1/set_notify_prefs', onPage))).toMatchObject([change]);
    for (const agent of [undefined, 'ann']) {
      const own = agent === undefined ? {} : { agent };
      expect(await addedBy(() => call('ann', 'get_notify_prefs', own))).toEqual([]);
      expect(await addedBy(() => call('ann', 'set_notify_prefs', { ...own, quiet: false }))).toEqual([]);
    }
  });

  it('others are refused, and change nothing', async () => {
    const before = (await call('ann', 'get_notify_prefs')).prefs;
    const refused = await addedBy(async () => {
      for (const operation of ['get_notify_prefs', 'set_notify_prefs']) {
        // Whoever may not ask does not learn who is there.
        for (const agent of ['ann', 'nobody']) {
          const { status, body } = await post('ben', operation, { agent });
          expect([operation, status, body.error.code]).toEqual([operation, 403, 'FORBIDDEN']);
        }
        const { body } = await post('boss', operation, { agent: 'nobody' });
        expect(body.error).toMatchObject({ code: 'AGENT_UNKNOWN', hint: expect.stringContaining('list_agents') });
      }
    });
    expect(refused).toEqual([]);
    expect((await call('ann', 'get_notify_prefs')).prefs).toEqual(before);
  });

  it('an admin does so for a person too, but not with quiet hours, which are the person’s own', async () => {
    const { prefs } = await call('boss', 'set_notify_prefs', { agent: 'pia', muteKinds: ['member_joined'] });
    expect(prefs.muteKinds).toEqual(['member_joined']);
    const { body } = await post('boss', 'set_person_prefs', { agent: 'pia' });
    expect(body.error.code).toBe('UNKNOWN_FIELD');
  });

  it('a model reads whose they are', async () => {
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?tools=all`, { key: key('boss') });
    expect((await client.call('get_notify_prefs', { agent: 'ann' })).text).toMatch(/messages wake ann\.$/m);
    expect((await client.call('get_notify_prefs', {})).text).toMatch(/messages wake you\.$/m);
    await client.close();
  });
});

describe('in open mode', () => {
  const open = useHub();

  it('anyone may for an agent, but no agent for a person', async () => {
    await openCall(open.url, 'register_agent', {}, { agent: 'ben' });
    const as = { agent: 'ann' };
    const { prefs } = await openCall(open.url, 'set_notify_prefs', { agent: 'ben', quiet: true }, as);
    expect(prefs.quiet).toBe(true);
    const { body } = await openPost(open.url, 'set_notify_prefs', { agent: 'me', quiet: true }, as);
    expect(body.error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining("'me' is a person") });
    const own = await openCall(open.url, 'set_notify_prefs', { agent: 'me', quiet: true }, { agent: 'me' });
    expect(own.prefs.quiet).toBe(true);
    const { entries: listed } = await openCall(open.url, 'list_audit', {});
    expect(listed).toMatchObject([{ actor: 'ann', act: 'set_notify_prefs', target: 'ben' }]);
  });
});
