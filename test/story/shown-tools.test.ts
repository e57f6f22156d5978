// The hub's words name only tools that their reader can see, or say how to see them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationList } from '../../dist/contract/operations/index.js';
import { pixel } from '../support/every-block.js';
import { connectMcp, type McpClient } from '../support/mcp-clients.js';
import { unexplainedTools } from '../support/named-tools.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const everyday = [
  'register_agent',
  'list_agents',
  'create_thread',
  'join_thread',
  'list_threads',
  'send_message',
  'wait_for_mentions',
  'get_messages',
  'get_thread',
  'create_critical_thread',
  'wait_for_responses',
  'ask_question',
  'get_response',
  'send_alert',
  'list_groups',
];

describe('the list of tools', () => {
  let tools: { name: string; description?: string | undefined; _meta?: Record<string, unknown> | undefined }[];
  beforeAll(async () => {
    const client = await connectMcp('v2 2026', `${hub.url}/mcp`);
    tools = await client.tools();
    await client.close();
  });

  it('has the everyday tools, in the order of a first conversation', () => {
    expect(tools.map(({ name }) => name)).toEqual(everyday);
  });

  it('marks four for clients that load tools only when they are searched for', () => {
    const marked = tools.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true);
    expect(marked.map(({ name }) => name)).toEqual([
      'list_agents',
      'send_message',
      'wait_for_mentions',
      'get_messages',
    ]);
  });

  it('holds the words that a search is asked for', () => {
    expect(tools.filter(({ description }) => !description?.includes('Coterie'))).toEqual([]);
    const wordsOf = (tool: string) => {
      const { name = '', description = '' } = tools.find((known) => known.name === tool) ?? {};
      return `${name} ${description}`.toLowerCase();
    };
    for (const word of ['message', 'reply', 'send']) expect(wordsOf('send_message')).toContain(word);
    for (const word of ['wait', 'mention', 'mail', 'message', 'replies']) {
      expect(wordsOf('wait_for_mentions')).toContain(word);
    }
    for (const word of ['inbox', 'mail', 'message', 'read']) expect(wordsOf('get_messages')).toContain(word);
  });

  it('names no tool that is not in it', () => {
    for (const tool of tools) expect(unexplainedTools(JSON.stringify(tool), tool.name)).toEqual([]);
  });
});

describe('an agent that sees the everyday tools', () => {
  let client: McpClient;
  let threadId = '';
  let messageId = '';
  const called = new Set<string>();

  const read = async (operation: string, input: Record<string, unknown>) => {
    called.add(operation);
    const answer = await client.call(operation, input);
    expect(unexplainedTools(answer.text, operation)).toEqual([]);
    return answer;
  };

  beforeAll(async () => {
    client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann`);
    for (const agentId of ['ben', 'cas']) await read('set_group', { name: `of-${agentId}`, members: [agentId] });
    const ben = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ben`);
    await ben.call('register_agent', {});
    await ben.close();
  });
  afterAll(() => client.close());

  it('reads of no others in any result', async () => {
    await read('register_agent', { description: 'tours' });
    await read('list_agents', {});
    ({ threadId } = (await read('create_thread', { title: 'T', participants: ['ben'] })).structured);
    const content = [{ type: 'video', source: { type: 'base64', mediaType: 'video/mp4', data: pixel } }];
    ({ messageId } = (await read('send_message', { threadId, content, mentions: ['ben'] })).structured);
    await read('send_message', { target: 'ann', content });
    await read('send_message', { target: 'nobody', content: 'lost' });
    await read('get_messages', { ack: 'manual', limit: 1 });
    await read('wait_for_mentions', { timeoutMs: 0 });
    await read('get_messages', { include: 'recent' });
    await read('ack_messages', { upTo: 100 });
    const lists = ['list_threads', 'get_sent_messages', 'get_dead_letters', 'list_groups'];
    for (const operation of lists) await read(operation, operation === 'list_groups' ? {} : { limit: 1 });
    await read('get_thread', { threadId, limit: 1 });
    await read('get_thread', { threadId, format: 'openai' });
    await read('get_receipts', { messageId });
    await read('get_attachment', { messageId, length: 4 });
    await read('search_messages', { query: 'lost' });
    await read('query_message_history', { source: 'ann', limit: 1 });
    await read('wait_for_agents', { agentIds: ['zoe'], timeoutMs: 0 });
    for (const operation of ['get_notify_prefs', 'set_notify_prefs', 'get_notify_templates']) await read(operation, {});
    await read('set_notify_template', { name: 'joined' });
    const asked = { title: 'Q', participants: ['ben'], initial_message: '?' };
    const critical = (await read('create_critical_thread', { ...asked, wait_for_responses: 0 })).structured;
    await read('wait_for_responses', { threadId: critical.threadId, timeout_ms: 0 });
    await read('create_critical_thread', { ...asked, timeout_ms: 0 });
    await read('remove_participant', { threadId, participantId: 'ben' });
    await read('add_participant', { threadId, participantId: 'ben' });
    for (const operation of ['join_thread', 'close_thread', 'reopen_thread', 'leave_thread']) {
      await read(operation, { threadId });
    }
    const { questionId } = (await read('ask_question', { question: 'Go?', options: ['Yes'] })).structured;
    await read('get_response', { questionId });
    await read('list_questions', {});
    await read('send_alert', { message: 'Done' });
    await read('list_alerts', {});
    for (const operation of ['answer_question', 'decline_question', 'cancel_question']) {
      await read(operation, { questionId });
    }
    await read('get_response', { questionId });
    await read('send_sealed', { id: questionId, envelope: { v: 1, h: 'e30', r: [], c: 'e30', s: 'e30' } });
    const { deadLetters } = (await read('get_dead_letters', {})).structured;
    await read('replay_dead_letter', { id: deadLetters[0].id });
    await read('discard_dead_letter', { id: deadLetters[0].id });
    await read('redact_message', { messageId });
    await read('create_session', { sessionId: 'other' });
    await read('list_sessions', { limit: 1 });
    await read('close_session', { sessionId: 'other' });
    await read('export_session', {});
    await read('import_session', { lines: '{}\n', sessionId: 'copy' });
    await read('get_activity', {});
    await read('get_session_history', { limit: 1 });
    await read('list_active_threads', {});
    const route = { kind: 'command', companion: 'c1' };
    const { routeId } = (await read('set_wake_route', route)).structured;
    await read('await_wake', { routeId, companion: 'c1', timeoutMs: 0 });
    await read('report_wake', { wakeId: 'w1', routeId, outcome: 'failed' });
    await read('test_wake', { target: 'ann' });
    await read('list_wakes', {});
    await read('remove_wake_route', { routeId });
    await read('await_wake', { routeId, companion: 'c1' });
    await read('remove_group', { name: 'of-cas' });
    await read('remove_agent', { agentId: 'ben' });
    await read('create_key', { agentId: 'zoe' });
    await read('create_observer_link', {});
    await read('list_keys', {});
    // Entries name the operations that were called; that is no advice to call them.
    await read('list_audit', { actor: 'nobody' });
    for (const operation of ['revoke_key', 'rotate_key']) await read(operation, { keyId: 'a'.repeat(12) });
    for (const operation of ['start_pairing', 'list_devices']) await read(operation, {});
    await read('get_pairing', { pairingId: 'p-none' });
    for (const operation of ['revoke_device', 'rename_device', 'verify_device']) {
      await read(operation, {
        deviceId: 'd-aaaaaaaaaaaa',
        ...(operation === 'rename_device' ? { name: 'Phone' } : {}),
      });
    }
    for (const operation of ['get_signal_keys', 'list_channels', 'get_person_prefs', 'set_person_prefs']) {
      await read(operation, {});
    }
    await read('set_agent_key', { kid: 'k', encryption: 'e', signing: 's' });
    await read('share_signal', { signalId: questionId, wraps: [{ k: 'k', e: 'e', w: 'w' }] });
    await read('set_channel', { kind: 'ntfy', topic: 'team' });
    for (const operation of ['test_channel', 'remove_channel']) await read(operation, { channelId: 'c-none' });
    expect(operationList.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
  });

  it('is told how to see a tool that a hint names', async () => {
    const closed = await read('create_thread', { title: 'C' });
    await read('close_thread', { threadId: closed.structured.threadId });
    const refused = await read('send_message', { threadId: closed.structured.threadId, content: 'hi' });
    expect(refused.text).toMatch(
      /\(reopen_thread is not in your tool list, but can be called\. Connect with \?tools=all in the address to list every tool\.\)$/,
    );
    expect(refused.meta['coterie/error'].hint).toContain('tools=all');
    const all = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&tools=all`);
    const seen = await all.call('send_message', { threadId: closed.structured.threadId, content: 'hi' });
    expect(seen.text).not.toContain('tools=all');
    await all.close();
  });

  it.each([
    ['wait_for_mention', 'wait_for_mentions'],
    ['sendMessage', 'send_message'],
    ['read_inbox', 'get_messages'],
    ['check_inbox', 'get_messages'],
    ['reply', 'send_message'],
  ])('is told the nearest tool to %s', async (given, near) => {
    const { text } = await client.call(given, {});
    expect(text).toBe(
      `OPERATION_UNKNOWN: There is no operation '${given}'.\n` +
        `Did you mean ${near}? Connect with ?tools=all in the address to list every tool.`,
    );
  });
});
