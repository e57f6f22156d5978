// GET /v1/events in the API's description: a stream of server-sent events.

export function describeEvents(): Record<string, unknown> {
  return {
    operationId: 'events',
    summary: 'Follow a session: each message as it is committed, as server-sent events.',
    description:
      'First an event `hello` with the position, then an event `message` per message; its id is the seq. ' +
      'People also get an event `signals`, without an id, when a question or an alert of the session changed: read the lists again. A stream ends when the hub stops: ' +
      'reconnect with Last-Event-ID and nothing is missed or repeated. A comment every 15 seconds keeps it open.',
    parameters: [
      { $ref: '#/components/parameters/session' },
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'Start after this seq; 0 for everything, only new messages if absent',
        schema: position,
      },
      { name: 'after', in: 'query', description: 'The same, for clients that cannot set headers', schema: position },
    ],
    responses: {
      200: {
        description: 'The stream. The data of an event `message` is JSON: components/schemas/Message.',
        content: {
          'text/event-stream': {
            schema: { type: 'string' },
            example: `id: 41\nevent: hello\ndata: {"sessionId":"default","seq":41}\n\nid: 42\nevent: message\ndata: ${JSON.stringify(exampleMessage)}\n\n`,
          },
        },
      },
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Refused' },
    },
  };
}

const position = { type: 'string', pattern: String.raw`^\d{1,15}$` };

const exampleMessage = {
  id: 'mb42k7d',
  seq: 42,
  sessionId: 'default',
  threadId: 't463814920757',
  sender: 'ann',
  content: [{ type: 'text', text: '@ben is the lease test real?' }],
  mentions: ['ben'],
  timestamp: '2026-11-17T14:05:09.000Z',
};
