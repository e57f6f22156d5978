// A regular thread and the notices of its creation, as the published example shows them, through every official client.
import { expect, it } from 'vitest';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

it.each(generations)('all participants are notified, through client %s', async (generation) => {
  const client = await connectMcp(generation, `${hub.url}/mcp?session=${generation.replaceAll(' ', '-')}`);
  for (const agentId of ['agent-1', 'agent-2', 'agent-3']) await client.call('register_agent', { agentId });
  const result = await client.call('create_thread', {
    creator_id: 'agent-1',
    title: 'Discussion on Project Architecture',
    participants: ['agent-2', 'agent-3'],
    initial_message: "Let's discuss the architecture for our new project.",
  });
  const { threadId } = result.structured;
  for (const agentId of ['agent-2', 'agent-3']) {
    const got = await client.call('wait_for_mentions', { agentId, timeoutMs: 5_000 });
    expect(got.structured.messages).toMatchObject([
      {
        sender: 'system',
        urgent: true,
        threadId,
        content: [
          {
            text: `You have been added to a new thread "Discussion on Project Architecture" (${threadId}) by agent-1.`,
          },
        ],
      },
    ]);
  }
  const own = await client.call('wait_for_mentions', { agentId: 'agent-1', timeoutMs: 0 });
  expect(own.structured.messages).toEqual([]);
  await client.close();
});
