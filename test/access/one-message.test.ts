// One message by its id: for whoever may read it. To everyone else it is like one that never was.
import { describe, expect, it } from 'vitest';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';

const { call, post } = useKeyedHub({
  boss: ['admin'],
  ann: agentRights,
  ben: agentRights,
  cyn: agentRights,
  onlooker: ['observer'],
});

const direct = async (): Promise<string> =>
  (await call('ann', 'send_message', { target: 'ben', content: 'between us' })).messageId;

describe('a message between two others', () => {
  it.each(['boss', 'ann', 'ben'])('is read by %s, and nothing changes', async (reader) => {
    const messageId = await direct();
    const { messages } = await call(reader, 'get_messages', { messageId });
    expect(messages).toMatchObject([
      { id: messageId, sender: 'ann', target: 'ben', content: [{ text: 'between us' }] },
    ]);
    expect((await call('ann', 'get_receipts', { messageId })).deliveries).toMatchObject([{ state: 'pending' }]);
  });

  it.each(['cyn', 'onlooker'])('is unknown to %s', async (reader) => {
    const messageId = await direct();
    const answer = async (id: string) => {
      const { status, body } = await post(reader, 'get_messages', { messageId: id });
      return { status, text: JSON.stringify(body).replaceAll(id, 'ID') };
    };
    const theirs = await answer(messageId);
    expect(theirs.status).toBeGreaterThanOrEqual(400);
    expect(theirs).toEqual(await answer('mb99zzz'));
  });
});
