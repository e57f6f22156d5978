// What a message carries beside its text: kept once, referred to by hash, shown to programs whole and to models within
// what an answer may cost, and fetched in parts.
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../bridge/stdio-clients.js';
import { everyBlock, pixel } from '../support/every-block.js';
import { call, post } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { connectMcp, generations, type McpClient, type ToolAnswer } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const mebibyte = 1024 * 1024;
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const picture = (bytes: Buffer, mediaType = 'image/png') => ({
  type: mediaType.replace(/\/.*/, ''),
  source: { type: 'base64', mediaType, data: bytes.toString('base64') },
});

let rooms = 0;
async function room() {
  rooms += 1;
  const session = `room-${rooms}`;
  for (const agentId of ['ann', 'ben']) await call(hub.url, 'register_agent', { agentId }, { session });
  const ask = (agent: string, operation: string, fields: object) =>
    call(hub.url, operation, fields, { agent, session });
  const send = (content: unknown) => ask('ann', 'send_message', { target: 'ben', content });
  const refused = async (operation: string, fields: object) =>
    (await post(hub.url, operation, fields, { agent: 'ben', session })).body.error;
  return { session, ask, send, refused };
}

async function withModel<Result>(session: string, use: (client: McpClient) => Promise<Result>): Promise<Result> {
  const client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ben&session=${session}`);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

describe('a program', () => {
  it('gets the data with the message in every answer that shows it', async () => {
    const { ask, send } = await room();
    const content = [{ type: 'text', text: 'look here' }, picture(Buffer.from(pixel, 'base64'))];
    const { messageId } = await send(content);
    const dead = await post(
      hub.url,
      'send_message',
      { target: 'nobody', content },
      { agent: 'ann', session: `room-${rooms}` },
    );
    expect(dead.body.error.code).toBe('TARGET_UNKNOWN');
    const shown = [
      await ask('ben', 'get_messages', { markAsRead: false }),
      await ask('ben', 'get_messages', { messageId }),
      await ask('ann', 'get_sent_messages', { target: 'ben' }),
      await ask('ben', 'query_message_history', { source: 'ann', target: 'ben' }),
      await ask('ben', 'search_messages', { query: 'look' }),
      await ask('ben', 'wait_for_mentions', { timeoutMs: 0 }),
    ];
    for (const { messages } of shown) expect(messages[0].content).toEqual(content);
    const { deadLetters } = await ask('ann', 'get_dead_letters', {});
    expect(deadLetters[0].message.content).toEqual(content);
  });

  it('gets references for what would make the answer too large, and fetches those', async () => {
    const { ask, send } = await room();
    const files = [randomBytes(5 * mebibyte), randomBytes(5 * mebibyte)];
    for (const file of files) await send([picture(file)]);
    const { messages } = await ask('ben', 'get_messages', {});
    const [first, second] = messages;
    expect(first.content[0]).toEqual(picture(files[0] ?? Buffer.alloc(0)));
    const { fetch: how, ...source } = second.content[0].source;
    const hash = hashOf(files[1] ?? Buffer.alloc(0));
    expect(source).toEqual({ type: 'attachment', mediaType: 'image/png', hash, bytes: 5 * mebibyte, index: 0 });
    expect(how).toBe(`get_attachment {"messageId":"${second.id}","index":0}`);
    const fetched = await ask('ben', 'get_attachment', JSON.parse(how.replace('get_attachment ', '')));
    expect(hashOf(Buffer.from(fetched.data, 'base64'))).toBe(hash);
  });
});

describe('the same bytes', () => {
  it('are one attachment however often they are sent, and each message keeps its own word for them', async () => {
    const { ask, send } = await room();
    const bytes = randomBytes(1_000);
    await send([picture(bytes), picture(bytes, 'image/gif')]);
    await send([picture(bytes, 'image/webp')]);
    const { messages } = await ask('ben', 'get_messages', {});
    const types = messages.flatMap(({ content }: { content: { source: { mediaType: string } }[] }) =>
      content.map(({ source }) => source.mediaType),
    );
    expect(types).toEqual(['image/png', 'image/gif', 'image/webp']);
    const second = await ask('ben', 'get_attachment', { messageId: messages[0].id, index: 1 });
    const byHash = await ask('ben', 'get_attachment', { hash: hashOf(bytes).toUpperCase() });
    expect(second).toMatchObject({ hash: hashOf(bytes), mediaType: 'image/gif' });
    expect(byHash).toMatchObject({ hash: hashOf(bytes), mediaType: 'image/png' });
  });

  it('under one idempotency key are one message', async () => {
    const { ask } = await room();
    const bytes = randomBytes(1_000);
    const send = (content: unknown) => ask('ann', 'send_message', { target: 'ben', content, idempotency_key: 'k' });
    const first = await send([picture(bytes)]);
    expect(await send([picture(bytes)])).toMatchObject({ messageId: first.messageId, duplicate: true });
    await expect(send([picture(randomBytes(1_000))])).rejects.toThrow('IDEMPOTENCY_CONFLICT');
  });
});

describe('get_attachment', () => {
  it('reads any part of it', async () => {
    const { ask, send } = await room();
    const bytes = randomBytes(100_000);
    const { messageId } = await send([picture(bytes)]);
    const read = async (fields: object) => {
      const { data, ...about } = await ask('ben', 'get_attachment', { messageId, ...fields });
      return { bytes: Buffer.from(data, 'base64'), about };
    };
    const part = await read({ offset: 10, length: 5 });
    expect(part.bytes).toEqual(bytes.subarray(10, 15));
    expect(part.about).toMatchObject({ bytes: 100_000, offset: 10, length: 5, hasMore: true });
    const rest = await read({ offset: 99_990, length: 50 });
    expect(rest.bytes).toEqual(bytes.subarray(99_990));
    expect(rest.about).toMatchObject({ length: 10, hasMore: false });
    expect((await read({})).bytes).toEqual(bytes);
  });

  it('finds those inside a tool result by their number, and says what there is not', async () => {
    const { ask, send, refused } = await room();
    const { messageId } = await send(everyBlock);
    const types = [];
    for (const index of [0, 1, 2, 3]) types.push((await ask('ben', 'get_attachment', { messageId, index })).mediaType);
    expect(types).toEqual(['image/png', 'audio/wav', 'video/mp4', 'image/png']);
    expect(await refused('get_attachment', { messageId, index: 4 })).toMatchObject({ code: 'ATTACHMENT_UNKNOWN' });
    for (const offset of [5_000, 2 ** 31, 2 ** 40]) {
      const beyond = await refused('get_attachment', { messageId, offset });
      expect(beyond).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'offset' } });
    }
    const both = await refused('get_attachment', { messageId, hash: 'ab'.repeat(32) });
    expect(both).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'messageId' } });
  });

  it('knows nothing of another session, not by its hash either', async () => {
    const [here, there] = [await room(), await room()];
    const bytes = randomBytes(100);
    const { messageId } = await here.send([picture(bytes)]);
    expect(await there.refused('get_attachment', { hash: hashOf(bytes) })).toMatchObject({
      code: 'ATTACHMENT_UNKNOWN',
    });
    expect(await there.refused('get_attachment', { messageId })).toMatchObject({ code: 'MESSAGE_UNKNOWN' });
  });
});

const shownIn = (answer: ToolAnswer) =>
  answer.content.filter(({ type }) => type !== 'text').map(({ type, mimeType, data }) => ({ type, mimeType, data }));

describe('a model', () => {
  const bridge = (session: string) => connectStdio('v2 2026', [...hub.flags, '--session', session, '--agent', 'ben']);
  const doors: [string, (session: string) => Promise<McpClient>][] = [
    ...generations.map((generation): [string, (session: string) => Promise<McpClient>] => [
      generation,
      (session) => connectMcp(generation, `${hub.url}/mcp?agent=ben&session=${session}`),
    ]),
    ['the stdio bridge', bridge],
  ];

  it.each(doors)('is shown pictures and sounds as such through %s', async (_, open) => {
    const { session, send } = await room();
    const { messageId } = await send(everyBlock);
    const client = await open(session);
    const answer = await client.call('get_messages', {});
    await client.close();
    expect(shownIn(answer)).toEqual([
      { type: 'image', mimeType: 'image/png', data: pixel },
      { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
    ]);
    const places = [0, 3].map((index) => `image ${index} of message ${messageId}`);
    expect(answer.content[1]).toEqual({ type: 'text', text: `${places.join(', ')}:` });
    // What is shown need not be fetched; a video cannot be shown.
    expect(answer.text).toContain('[image image/png, 1 KB]');
    const how = `get_attachment {&quot;messageId&quot;:&quot;${messageId}&quot;,&quot;index&quot;:2}`;
    expect(answer.text).toContain(`[video video/mp4, 1 KB, ${how}]`);
    expect(JSON.stringify(answer.structured)).not.toContain(pixel);
    expect(answer.structured.messages[0].content[3].source).toMatchObject({ type: 'attachment', index: 0 });
    expect(answer.structured.media).toBeUndefined();
  });

  it('is shown a picture of two messages once, with both of them named', async () => {
    const { session, send } = await room();
    const bytes = randomBytes(1_000);
    const first = await send([picture(bytes)]);
    const second = await send([picture(bytes)]);
    await withModel(session, async (client) => {
      const answer = await client.call('get_messages', {});
      expect(shownIn(answer)).toHaveLength(1);
      const label = `image 0 of message ${first.messageId}, image 0 of message ${second.messageId}:`;
      expect(answer.content[1]).toEqual({ type: 'text', text: label });
    });
  });

  it('is told how to fetch what has the bytes of a shown picture and is something else', async () => {
    const { session, send } = await room();
    const bytes = randomBytes(1_000);
    await send([picture(bytes), picture(bytes, 'video/mp4'), picture(bytes, 'audio/wav')]);
    await withModel(session, async (client) => {
      const answer = await client.call('get_messages', {});
      expect(shownIn(answer).map(({ type }) => type)).toEqual(['image']);
      const [image, video, audio] = answer.structured.messages[0].content;
      expect(image.source.fetch).toBeUndefined();
      expect(video.source.fetch).toContain('"index":1');
      expect(audio.source.fetch).toContain('"index":2');
    });
  });

  it('is told how to fetch each picture that no label names', async () => {
    const seen = new Set<boolean>();
    // The more places a picture has, the fewer of them fit into its label; from some number on it is not shown at all.
    for (const count of [38, 40, 41, 42, 43, 44, 46]) {
      const { session, send } = await room();
      const bytes = randomBytes(1_000);
      const { messageId } = await send(Array.from({ length: count }, () => picture(bytes)));
      await withModel(session, async (client) => {
        const answer = await client.call('get_messages', {});
        const label = String(answer.content[1]?.['text']);
        const isNamed = Array.from({ length: count }, (_, index) =>
          label.includes(`image ${index} of message ${messageId}`),
        );
        const content: { source: { fetch?: string } }[] = answer.structured.messages[0].content;
        expect(content.map(({ source }) => source.fetch === undefined)).toEqual(isNamed);
        if (shownIn(answer).length > 0) for (const named of isNamed) seen.add(named);
      });
    }
    expect(seen).toEqual(new Set([true, false]));
  });

  it('is shown no more than the answer may cost or carry, and fetches the rest', async () => {
    const { session, send } = await room();
    const small = Array.from({ length: 8 }, () => randomBytes(1_000));
    const large = randomBytes(2 * mebibyte);
    await send([picture(large), ...small.map((bytes) => picture(bytes))]);
    await withModel(session, async (client) => {
      const answer = await client.call('get_messages', {});
      const shown = shownIn(answer).map(({ data }) => data);
      // About 1,600 tokens each, of 8,000; the large one does not fit at all.
      expect(shown.length).toBeGreaterThanOrEqual(2);
      expect(shown.length).toBeLessThanOrEqual(4);
      expect(shown[0]).toBe(small[0]?.toString('base64'));
      const { id } = answer.structured.messages[0];
      const fetched = await client.call('get_attachment', { messageId: id, index: 0 });
      expect(shownIn(fetched)).toEqual([{ type: 'image', mimeType: 'image/png', data: large.toString('base64') }]);
      expect(fetched.structured.data).toBeUndefined();
      expect(fetched.structured).toMatchObject({ hash: hashOf(large), bytes: 2 * mebibyte, hasMore: false });
    });
  });

  it('reads what cannot be shown in parts that fit', async () => {
    const { session, send } = await room();
    const film = randomBytes(20_000);
    const { messageId } = await send([picture(film, 'video/mp4')]);
    await withModel(session, async (client) => {
      const parts: Buffer[] = [];
      for (let offset = 0, hasMore = true; hasMore;) {
        const { structured, text } = await client.call('get_attachment', { messageId, offset });
        expect(text).toContain(structured.data);
        parts.push(Buffer.from(structured.data, 'base64'));
        offset += structured.length;
        ({ hasMore } = structured);
      }
      expect(parts.length).toBeGreaterThan(2);
      expect(Buffer.concat(parts)).toEqual(film);
    });
  });
});

it('survives the hub', async () => {
  const own = await startHubProcess();
  const ask = (url: string, agent: string, operation: string, fields: object) =>
    call(url, operation, fields, { agent });
  await ask(own.url, 'ben', 'list_agents', {});
  const content = [picture(randomBytes(300_000))];
  await ask(own.url, 'ann', 'send_message', { target: 'ben', content });
  await own.kill();
  const again = await startHubProcess({ data: own.data });
  const { messages } = await ask(again.url, 'ben', 'get_messages', {});
  expect(messages[0].content).toEqual(content);
});
