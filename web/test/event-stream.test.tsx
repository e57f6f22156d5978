// Server-sent events, as the hub writes them and as a network cuts them.
import { expect, it } from 'vitest';
import { readEvents, type StreamEvent } from '../src/data/event-stream.js';

const written =
  'retry: 1000\nid: 7\nevent: hello\ndata: {"seq":7}\n\n: keep-alive\n\nid: 8\nevent: message\ndata: {"a":"ü"}\n\nid: 9\n\nevent: signals\ndata: {}\n\n';

async function read(sizes: number): Promise<StreamEvent[]> {
  const bytes = new TextEncoder().encode(written);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += sizes) controller.enqueue(bytes.slice(at, at + sizes));
      controller.close();
    },
  });
  const events: StreamEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

it.each([1, 2, 7, 1_000])('are read whole from pieces of %d bytes', async (size) => {
  expect((await read(size)).filter(({ name }) => name !== '')).toEqual([
    { name: 'hello', data: '{"seq":7}', id: '7' },
    { name: 'message', data: '{"a":"ü"}', id: '8' },
    { name: 'signals', data: '{}' },
  ]);
});

it('a position alone is no message, but is remembered', async () => {
  expect(await read(1_000)).toContainEqual({ name: '', data: '', id: '9' });
});
