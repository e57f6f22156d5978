// One request exactly as written: any method, and a header as often as it is given.
import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export interface Question {
  method?: string;
  path: string;
  headers?: readonly (readonly [name: string, value: string])[];
  body?: unknown;
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // Tests read the fields they promise; a wrong one fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

const agent = new Agent({ keepAlive: true });

export function ask(url: string, { method = 'GET', path, headers = [], body }: Question): Promise<Answered> {
  const { host } = new URL(url);
  const sent = body === undefined ? '' : JSON.stringify(body);
  const all = [['host', host] as const, ...headers, ['content-length', String(Buffer.byteLength(sent))] as const];
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { method, agent, headers: all.flat() }, (response) => {
      const chunks: Buffer[] = [];
      const finish = () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json') === true && text !== '';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: isJson ? JSON.parse(text) : undefined,
        });
      };
      // A stream has answered with its first bytes.
      const isStream = response.headers['content-type'] === 'text/event-stream';
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (!isStream) return;
        finish();
        response.destroy();
      });
      response.on('end', finish);
      response.on('error', () => {});
    });
    asked.on('error', reject);
    asked.end(sent);
  });
}

export const bearer = (key: string) => ['authorization', `Bearer ${key}`] as const;

const json = ['content-type', 'application/json'] as const;

/** `POST /v1/<operation>` */
export function askOperation(url: string, operation: string, input: unknown, headers: Question['headers'] = []) {
  return ask(url, { method: 'POST', path: `/v1/${operation}`, headers: [json, ...headers], body: input });
}

/** `tools/call` at /mcp. */
export function askTool(url: string, name: string, input: unknown, headers: Question['headers'] = []) {
  const accept = ['accept', 'application/json, text/event-stream'] as const;
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
  return ask(url, { method: 'POST', path: '/mcp', headers: [json, accept, ...headers], body });
}
