// Requests to the hub over node:http. A call is given up by closing our half of the connection only: the hub frees its
// wait at once, and an answer that was already on its way is still read, so that its messages can be given back.
import { Agent, request as requestHttp } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import type { HubReply, HubRequest, Post } from '../client/post.js';

/** After our half is closed, the time for a late answer to come in. */
const lateMs = 1_500;

export interface HalfClosePost {
  post: Post;
  close: () => void;
}

export function createPost(): HalfClosePost {
  const agent = new Agent({ keepAlive: true });
  const secureAgent = new SecureAgent({ keepAlive: true });
  return {
    post: (request) =>
      request.url.startsWith('https:')
        ? exchange(request, (options) => requestHttps(request.url, { ...options, agent: secureAgent }))
        : exchange(request, (options) => requestHttp(request.url, { ...options, agent })),
    close() {
      agent.destroy();
      secureAgent.destroy();
    },
  };
}

type Open = (options: { method: 'POST'; headers: Record<string, string | number> }) => ReturnType<typeof requestHttp>;

function exchange({ headers, body, signal }: HubRequest, open: Open): Promise<HubReply> {
  return new Promise((resolve, reject) => {
    const asked = open({ method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } });
    let late: NodeJS.Timeout | undefined;
    const giveUp = () => {
      if (asked.socket === null) return void asked.destroy();
      asked.socket.end();
      late = setTimeout(() => asked.destroy(), lateMs);
    };
    const done = () => {
      clearTimeout(late);
      signal?.removeEventListener('abort', giveUp);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    asked.once('error', (error) => {
      done();
      reject(error);
    });
    asked.once('response', (response) => {
      const status = response.statusCode ?? 0;
      text(response)
        .then((read) => resolve({ status, body: read }), reject)
        .finally(done);
    });
    asked.end(body);
  });
}
