// Reads a stream of server-sent events. Not EventSource: that cannot send a header.
export interface StreamEvent {
  name: string;
  data: string;
  id?: string;
}

/** `onBytes` is called with every sign of life, comments too. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield eventOf(part);
  }
}

function eventOf(text: string): StreamEvent {
  const event: StreamEvent = { name: 'message', data: '' };
  const lines = text.split('\n');
  let isNamed = false;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const field = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') {
      event.name = value;
      isNamed = true;
    } else if (field === 'data') event.data += event.data === '' ? value : `\n${value}`;
    else if (field === 'id') event.id = value;
  }
  // A position alone, or a comment, is no message.
  if (!isNamed && event.data === '') event.name = '';
  return event;
}
