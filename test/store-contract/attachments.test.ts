// Who may fetch an attachment when not everyone is an admin, and when the store lets go of its bytes.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../dist/contract/operations/index.js';
import { getAttachment } from '../../dist/message/history/get-attachment.js';
import { planSend } from '../../dist/message/send/send.js';
import type { Store } from '../../dist/ports/store.js';
import { systemClock } from '../../dist/runtime/system-clock.js';
import { openStore, type OpenedStore } from './stores.js';

const sessionId = 'default';
let opened: OpenedStore;
let store: Store;

const as = (agentId: string | null) => {
  return {
    sessionId,
    agentId,
    capabilities: new Set(['send', 'read'] as const),
    owner: 'key',
    connectAs: String,
    grant: null,
    address: '',
  };
};

async function send(agentId: string, to: object, files: Buffer[]): Promise<string> {
  const content = files.map((file) => {
    return { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: file.toString('base64') } };
  });
  const draft = operations.sendMessage.input.parse({ ...to, content });
  const sent = await store.appendMessage(planSend({ ...as(agentId), agentId }, draft, Date.now()));
  if ('refused' in sent) throw new Error(sent.refused.message);
  return sent.appended.id;
}

async function fetched(agentId: string | null, name: object): Promise<string> {
  const input = operations.getAttachment.input.parse(name);
  const read = getAttachment({ store, clock: systemClock }, as(agentId), { input, model: undefined });
  return read.then(
    ({ output }) => `${output.bytes} bytes`,
    (error: { code: string }) => error.code,
  );
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

beforeAll(async () => {
  opened = await openStore();
  store = opened.store;
  const nothing = { name: null, description: null, capabilities: null };
  for (const id of ['ann', 'ben', 'cyn', 'dan'])
    await store.registerAgent({ sessionId, id, ...nothing, owner: 'open', at: 1, onlyIfMissing: false });
  const kind = { isAdmin: false, isPrivate: true, critical: null, key: null, opening: null, at: 1 };
  await store.createThread({ sessionId, threadId: 't', title: 'T', creator: 'ann', participants: ['cyn'], ...kind });
});
afterAll(async () => {
  await opened.close();
});

describe('an attachment', () => {
  it('is fetched by whoever may read a message that has it, and is not there for others', async () => {
    const file = randomBytes(100);
    const messageId = await send('ann', { target: 'ben' }, [file]);
    for (const agent of ['ann', 'ben']) {
      expect(await fetched(agent, { messageId })).toBe('100 bytes');
      expect(await fetched(agent, { hash: hashOf(file) })).toBe('100 bytes');
    }
    for (const agent of ['cyn', 'dan', 'eve']) {
      expect(await fetched(agent, { messageId })).toBe('MESSAGE_UNKNOWN');
      expect(await fetched(agent, { hash: hashOf(file) })).toBe('ATTACHMENT_UNKNOWN');
    }
    // Without a name it is an observer, and this is direct mail.
    expect(await fetched(null, { messageId })).toBe('MESSAGE_UNKNOWN');
    // With another message that has the same bytes it is theirs too, but not that first message.
    await send('ben', { target: 'dan' }, [file]);
    expect(await fetched('dan', { hash: hashOf(file) })).toBe('100 bytes');
    expect(await fetched('dan', { messageId })).toBe('MESSAGE_UNKNOWN');
  });

  it('of a thread is for its members', async () => {
    const file = randomBytes(100);
    const messageId = await send('ann', { threadId: 't' }, [file]);
    expect(await fetched('cyn', { messageId })).toBe('100 bytes');
    expect(await fetched('ben', { messageId })).toBe('MESSAGE_UNKNOWN');
    expect(await fetched('ben', { hash: hashOf(file) })).toBe('ATTACHMENT_UNKNOWN');
  });

  it('to one who was not there stays with its sender', async () => {
    const file = randomBytes(100);
    await expect(send('ann', { target: 'eve' }, [file])).rejects.toThrow('eve');
    expect(await fetched('ann', { hash: hashOf(file) })).toBe('100 bytes');
    expect(await fetched('eve', { hash: hashOf(file) })).toBe('ATTACHMENT_UNKNOWN');
  });

  it('is stored once, and goes with the last message that has it', async () => {
    const [shared, single] = [randomBytes(100), randomBytes(100)];
    await send('ann', { target: 'ben' }, [shared, single, shared]);
    await send('ann', { target: 'ben' }, [shared]);
    // Nothing deletes messages yet; whatever will, does it by deleting their rows.
    const count = async (file: Buffer) => {
      const [row] = await opened.sql('select count(*) as count from attachment where hash = ?', hashOf(file));
      return Number(row?.['count']);
    };
    const counts = async () => [await count(shared), await count(single)];
    const forget = async () => {
      const [oldest] = await opened.sql('select min(seq) as seq from attachment_use where hash = ?', hashOf(shared));
      await opened.sql('delete from message where session_id = ? and seq = ?', sessionId, Number(oldest?.['seq']));
    };
    expect(await counts()).toEqual([1, 1]);
    await forget();
    expect(await counts()).toEqual([1, 0]);
    await forget();
    expect(await counts()).toEqual([0, 0]);
  });
});
