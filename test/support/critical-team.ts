// A creator and its responders around a critical thread, over HTTP.
import { eventually } from './eventually.js';
import { call, post } from './http-call.js';

type Fields = Record<string, unknown>;
interface Said {
  id: string;
  sender: string;
  redelivered?: boolean;
  content: { text: string }[];
}

export interface CriticalTeam {
  /** The answer of create_critical_thread, by ann, with two wanted of ben, cas and dan. */
  create(fields?: Fields): Promise<ReturnType<typeof call>>;
  tryCreate(fields?: Fields): ReturnType<typeof post>;
  wait(threadId: string, fields?: Fields): Promise<ReturnType<typeof call>>;
  tryWait(threadId: string, fields?: Fields): ReturnType<typeof post>;
  as(agent: string, operation: string, input: Fields): Promise<ReturnType<typeof call>>;
  say(agent: string, threadId: string, content: string): Promise<ReturnType<typeof call>>;
  /** The newest thread, once it is there: for those who did not open it. */
  thread(): Promise<string>;
  /** What lies unread in an inbox, without the hub's own words. */
  unread(agent: string): Promise<Said[]>;
  readAll(agent: string): Promise<void>;
}

export async function criticalTeam(hub: { url: string }, session: string): Promise<CriticalTeam> {
  for (const agentId of ['ann', 'ben', 'cas', 'dan']) await call(hub.url, 'register_agent', { agentId }, { session });
  const asked = {
    title: 'Deploy?',
    participants: ['ben', 'cas', 'dan'],
    initial_message: 'Shall we?',
    wait_for_responses: 2,
    timeout_ms: 20_000,
  };
  const as = (agent: string, operation: string, input: Fields) => call(hub.url, operation, input, { agent, session });
  const ann = { agent: 'ann', session };
  return {
    as,
    create: (fields) => as('ann', 'create_critical_thread', { ...asked, ...fields }),
    tryCreate: (fields) => post(hub.url, 'create_critical_thread', { ...asked, ...fields }, ann),
    wait: (threadId, fields) => as('ann', 'wait_for_responses', { threadId, timeout_ms: 20_000, ...fields }),
    tryWait: (threadId, fields) => post(hub.url, 'wait_for_responses', { threadId, ...fields }, ann),
    say: (agent, threadId, content) => as(agent, 'send_message', { threadId, content }),
    thread: () =>
      eventually('the thread', async () => {
        const { threads } = await as('ben', 'list_threads', { limit: 1 });
        return threads[0]?.threadId as string | undefined;
      }),
    async unread(agent) {
      const { messages } = await as(agent, 'get_messages', { markAsRead: false, limit: 500 });
      return messages.filter(({ sender }: Said) => sender !== 'system');
    },
    async readAll(agent) {
      const { cursor } = await as(agent, 'get_messages', { ack: 'manual', limit: 500 });
      await as(agent, 'ack_messages', { cursor });
    },
  };
}

export function sendersOf(responses: Said[]): string[] {
  return responses.map(({ sender }) => sender);
}
