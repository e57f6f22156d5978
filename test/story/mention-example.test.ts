// An email helper that waits to be mentioned, as the published examples show it.
import { expect, it } from 'vitest';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

it.each(generations)(
  'a mention in the text wakes the helper, in the one-line form, through client %s',
  async (generation) => {
    const client = await connectMcp(generation, `${hub.url}/mcp?session=${generation.replaceAll(' ', '-')}`);
    await client.call('register_agent', { agentId: 'alice' });
    await client.call('register_agent', { agentId: 'email-helper' });
    const made = await client.call('create_thread', {
      creator_id: 'alice',
      title: 't1',
      participants: ['email-helper'],
    });
    const { threadId } = made.structured;
    const added = await client.call('wait_for_mentions', { agentId: 'email-helper', view: 'compact' });
    expect(added.text).toContain('You have been added to a new thread');
    const waiting = client.call('wait_for_mentions', { agentId: 'email-helper', timeoutMs: 60000, view: 'compact' });
    const content = '@email-helper can you draft an email?';
    await client.call('send_message', { threadId, senderId: 'alice', content });
    const got = await waiting;
    const { id } = got.structured.messages[0];
    expect(got.text).toBe(
      `<messages><message id='${id}' sender='alice' thread='${threadId}'>${content}</message></messages>`,
    );
    await client.close();
  },
);
