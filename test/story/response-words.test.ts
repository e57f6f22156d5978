// What a model reads of get_response: every state in words that cannot be taken for another.
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { connectMcp, type McpClient } from '../support/mcp-clients.js';
import { movableClock } from '../support/movable-clock.js';
import { TestDevice } from '../support/test-device.js';
import { useHub } from '../support/use-hub.js';

const clock = movableClock();
const hub = useHub({ clock });
const asker = { agent: 'ann' };
const me = { agent: 'me' };
let client: McpClient;

beforeAll(async () => {
  client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann`);
});

const ask = async (input: object = {}): Promise<string> =>
  (await call(hub.url, 'ask_question', { question: 'Deploy?', options: ['Yes', 'No'], ...input }, asker)).questionId;

/** Without the count of unread messages, which every result has. */
const wordsOf = async (questionId: string): Promise<string> => {
  const { text } = await client.call('get_response', { questionId });
  return text.replaceAll(questionId, 'Q').replace(/\nunread: \d+$/, '');
};

describe('get_response says', () => {
  it('that a question is pending, until when, and how to wait on', async () => {
    const words = await wordsOf(await ask());
    expect(words).toMatch(/^Question Q is pending: no answer yet; it expires at \d{4}-\S+Z\.\n/);
    expect(words).toContain('Call get_response with questionId "Q" and waitMs again');
    expect(await wordsOf(await ask({ ttl: 0 }))).toMatch(/^Question Q is pending: no answer yet\.\n/);
  });

  it('what was answered: an option, free text, or both', async () => {
    for (const [answer, words] of [
      [{ option: 1 }, 'me answered question Q: option 1, Yes'],
      [{ response: 'Tomorrow' }, 'me answered question Q: Tomorrow'],
      [{ option: 2, response: 'Not on Friday' }, 'me answered question Q: option 2, Not on Friday'],
    ] as const) {
      const questionId = await ask();
      await call(hub.url, 'answer_question', { questionId, ...answer }, me);
      expect(await wordsOf(questionId)).toBe(words);
    }
  });

  it('that it was declined or cancelled, by whom, and why', async () => {
    const [declined, silently, cancelled, back] = [await ask(), await ask(), await ask(), await ask()];
    await call(hub.url, 'decline_question', { questionId: declined, reason: 'Ask Bob.' }, me);
    await call(hub.url, 'decline_question', { questionId: silently }, me);
    await call(hub.url, 'cancel_question', { questionId: cancelled, reason: 'Solved' }, asker);
    await call(hub.url, 'cancel_question', { questionId: back }, asker);
    expect(await wordsOf(declined)).toBe('me declined to answer question Q: Ask Bob.');
    expect(await wordsOf(silently)).toBe('me declined to answer question Q, without a reason.');
    expect(await wordsOf(cancelled)).toBe('Question Q was cancelled by ann: Solved');
    expect(await wordsOf(back)).toBe('Question Q was cancelled by ann, without a reason.');
  });

  it('that it expired, which is no answer, and which default applies', async () => {
    const [plain, withDefault] = [await ask({ ttl: 60 }), await ask({ ttl: 60, defaultAnswer: 'No' })];
    clock.advance(61_000);
    const expired = 'Question Q expired without an answer, which is neither a yes nor a no.';
    expect(await wordsOf(plain)).toBe(expired);
    expect(await wordsOf(withDefault)).toBe(`${expired} The default answer that you set applies: option 2, No`);
  });

  it('which option was chosen by number where its text is encrypted', async () => {
    const device = await TestDevice.make();
    await device.pairOnPage(hub.url);
    const questionId = await ask();
    await call(hub.url, 'answer_question', { questionId, option: 2 }, me);
    const option = 'Option 2 of those you offered (the hub cannot read its text)';
    expect(await wordsOf(questionId)).toBe(`me answered question Q: ${option}`);
    expect(await call(hub.url, 'get_response', { questionId }, asker)).toMatchObject({ option: 2, response: option });

    const unreadable = await ask();
    await device.call(hub.url, 'revoke_device', { deviceId: device.id });
    const words = await wordsOf(unreadable);
    expect(words).toContain('No device can read question Q any more');
    expect(words).toContain('ask again');
    expect(words).not.toContain('Call get_response');
  });
});
