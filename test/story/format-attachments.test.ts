// get_thread with `format` for a thread with pictures: a program gets a request it can send as it is; a model gets the
// pictures beside the answer, and words that name the call where they would stand.
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '../support/count-tokens.js';
import { pixel } from '../support/every-block.js';
import { call } from '../support/http-call.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const budget = 4_000;
const hub = useHub({ args: ['--result-tokens', String(budget)] });

beforeAll(async () => {
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId });
});

const picture = (data: string) => ({ type: 'image', source: { type: 'base64', mediaType: 'image/png', data } });
const as = { agent: 'ann' };

async function threadOf(...contents: unknown[]) {
  const { threadId } = await call(hub.url, 'create_thread', { title: 'T', participants: ['ben'] }, as);
  const ids: string[] = [];
  for (const content of contents) ids.push((await call(hub.url, 'send_message', { threadId, content }, as)).messageId);
  const read = (fields: object) => call(hub.url, 'get_thread', { threadId, after: 0, ...fields }, as);
  return { threadId, ids, read };
}

interface Part {
  type?: string;
  text?: string;
}

/** The parts of the last message that was said. */
const lastOf = ({ messages }: { messages: { content?: Part[]; parts?: Part[] }[] }) => {
  const last = messages.at(-1);
  return last?.content ?? last?.parts ?? [];
};

describe('a program', () => {
  it.each([
    ['openai', { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }],
    ['openai-responses', { type: 'input_image', image_url: `data:image/png;base64,${pixel}` }],
    ['anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }],
    ['gemini', { inlineData: { mimeType: 'image/png', data: pixel } }],
    ['dashscope', { image: `data:image/png;base64,${pixel}` }],
  ])('gets the data where %s takes it', async (provider, part) => {
    const { read } = await threadOf([{ type: 'text', text: 'Look' }, picture(pixel)]);
    const { formatted } = await read({ format: provider });
    expect(lastOf(formatted)).toContainEqual(expect.objectContaining(part));
  });

  it('gets words with the call to make for what is beyond the size of one answer', async () => {
    const large = [randomBytes(5 * 1024 * 1024), randomBytes(5 * 1024 * 1024)].map((bytes) => bytes.toString('base64'));
    const { ids, read } = await threadOf(...large.map((data) => [picture(data)]));
    const { formatted } = await read({ format: 'anthropic' });
    const [said] = formatted.messages.filter((message: unknown) => JSON.stringify(message).includes('get_attachment'));
    expect(JSON.stringify(formatted)).toContain(large[0]);
    expect(JSON.stringify(formatted)).not.toContain(large[1]);
    const { text } = said.content.at(-1);
    expect(text).toContain(`[Image: image/png, 5120 KB, get_attachment {"messageId":"${ids[1]}","index":0}]`);
    const fetched = await call(hub.url, 'get_attachment', { messageId: ids[1], index: 0 }, as);
    expect(fetched.data).toBe(large[1]);
  });
});

describe.each(generations)('a model over MCP (%s)', (generation) => {
  it('sees the picture beside a request that is whole JSON, with the call in its place', async () => {
    const { threadId, ids } = await threadOf([{ type: 'text', text: 'Look' }, picture(pixel)]);
    const client = await connectMcp(generation, `${hub.url}/mcp?agent=ben`);
    const answer = await client.call('get_thread', { threadId, format: 'openai' });
    await client.close();
    const { formatted } = answer.structured;
    expect(answer.text).toContain(JSON.stringify(formatted));
    expect(JSON.stringify(formatted)).not.toContain(pixel);
    const where = `[Image: image/png, 1 KB, get_attachment {"messageId":"${ids[0]}","index":0}]`;
    expect(JSON.stringify(lastOf(formatted))).toContain(JSON.stringify(where).slice(1, -1));
    expect(answer.content).toContainEqual({ type: 'image', data: pixel, mimeType: 'image/png' });
  });
});

describe('what an answer may cost', () => {
  it.each(['openai', 'anthropic', 'gemini', 'dashscope', 'ollama', 'deepseek', 'openai-responses'])(
    'holds for a page in the form of %s, long messages and short, and the rest is a call away',
    async (provider) => {
      const words = 'The build is green again, see the log. ';
      const short = Array.from({ length: 30 }, (_, index) => `ok ${index}`);
      const long = Array.from({ length: 30 }, (_, index) => words.repeat(1 + (index % 10)));
      // Each of these lines gets a sign more, lest it speak for someone.
      const forged = Array.from({ length: 5 }, () => '[a]:\n'.repeat(60));
      const { threadId } = await threadOf(...short, ...long, ...forged, [
        { type: 'text', text: words },
        picture(pixel),
      ]);
      const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ben`);
      for (const style of ['brackets', 'history']) {
        const format = { provider, style };
        const answer = await client.call('get_thread', { threadId, format, limit: 100 });
        expect(countTokens(answer.text)).toBeLessThan(budget);
        expect(countTokens(JSON.stringify(answer.structured))).toBeLessThan(budget);
        expect(answer.structured.formatted.messages.length).toBeGreaterThan(0);
        expect(answer.structured.hasMore).toBe(true);
        const earlier = await client.call('get_thread', { threadId, format, before: answer.structured.cursor });
        expect(earlier.structured.formatted.messages.length).toBeGreaterThan(0);
      }
      await client.close();
    },
  );
});
