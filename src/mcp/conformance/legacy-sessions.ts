// 2025-era sessions, one server each: log levels, subscriptions and client answers belong to a session.
import {
  WebStandardStreamableHTTPServerTransport,
  type McpHandlerRequestOptions,
  type Server,
} from '@modelcontextprotocol/server';
import { labelHeader, newLabel } from '../session-label.js';

export class LegacySessions {
  readonly #build: () => Server;
  readonly #sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(build: () => Server) {
    this.#build = build;
  }

  async fetch(request: Request, options: McpHandlerRequestOptions): Promise<Response> {
    const id = request.headers.get(labelHeader);
    const transport = id === null ? await this.#open() : this.#sessions.get(id);
    return transport === undefined ? sessionUnknown() : transport.handleRequest(request, options);
  }

  /** Becomes a session if the first message is `initialize`; the transport refuses any other. */
  async #open(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => newLabel(''),
      onsessioninitialized: (id) => void this.#sessions.set(id, transport),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await this.#build().connect(transport);
    return transport;
  }

  async close(): Promise<void> {
    for (const transport of this.#sessions.values()) await transport.close();
    this.#sessions.clear();
  }
}

function sessionUnknown(): Response {
  const error = { code: -32_001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}
