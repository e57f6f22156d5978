// Requests to the hub over node:http. To cancel a call, only our half of the connection is closed: the hub ends the
// wait immediately, and an answer already in flight is still read, so that its messages can be released.
import { Agent, request as requestHttp } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import type { HubReply, HubRequest, Post } from '../client/post.js';

/** How long to read a late answer after closing our half. */
const lateAnswerMs = 1_500;

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
    const sent = open({ method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } });
    let lateTimer: NodeJS.Timeout | undefined;
    const cancel = () => {
      if (sent.socket === null) return void sent.destroy();
      sent.socket.end();
      lateTimer = setTimeout(() => sent.destroy(), lateAnswerMs);
    };
    const done = () => {
      clearTimeout(lateTimer);
      signal?.removeEventListener('abort', cancel);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    sent.once('error', (error) => {
      done();
      reject(error);
    });
    sent.once('response', (response) => {
      const status = response.statusCode ?? 0;
      text(response)
        .then((read) => resolve({ status, body: read }), reject)
        .finally(done);
    });
    sent.end(body);
  });
}
