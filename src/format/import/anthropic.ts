// Imports messages of Anthropic's API: a list, or a request with `system`.
import { badMessage } from '../../contract/msg/read-messages.js';
import { isFields, messagesIn, requireFields, requireList, requireText, unknownKind, type Fields } from './given.js';

const roles: Readonly<Record<string, string>> = { user: 'USER', assistant: 'ASSISTANT', system: 'SYSTEM' };

export function fromAnthropic(document: unknown): Fields[] {
  const system = isFields(document) ? document['system'] : undefined;
  const toolNames = new Map<string, string>();
  const messages = messagesIn(document).map((message, index) => {
    const path = `messages[${index}]`;
    const role = roles[String(message['role'])];
    if (role === undefined) throw badMessage(`${path}.role`, `must be one of ${Object.keys(roles).join(', ')}`);
    const content = blocksIn(message['content'], `${path}.content`, toolNames);
    const isAllResults = content.length > 0 && content.every(({ type }) => type === 'tool_result');
    return { role: isAllResults ? 'TOOL' : role, content };
  });
  if (system === undefined || system === null || system === '') return messages;
  return [{ role: 'SYSTEM', content: blocksIn(system, 'system', toolNames) }, ...messages];
}

function blocksIn(content: unknown, path: string, toolNames: Map<string, string>): Fields[] {
  if (content === '' || content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return requireList(content, path).map((block, index) => blockOf(block, `${path}[${index}]`, toolNames));
}

const known = ['text', 'image', 'document', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result'];

function blockOf(given: unknown, path: string, toolNames: Map<string, string>): Fields {
  const block = requireFields(given, path);
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: requireText(block['text'], `${path}.text`) };
    case 'image':
      return { type: 'image', source: requireFields(block['source'], `${path}.source`) };
    case 'document':
      return documentOf(block, path);
    case 'thinking':
      return {
        type: 'thinking',
        thinking: requireText(block['thinking'], `${path}.thinking`),
        ...(block['signature'] === undefined ? {} : { signature: block['signature'] }),
      };
    case 'redacted_thinking':
      return { type: 'thinking', thinking: '', redactedData: requireText(block['data'], `${path}.data`) };
    case 'tool_use': {
      const { id, name, input } = block;
      toolNames.set(String(id), String(name));
      return { type: 'tool_use', id, name, input: input ?? {} };
    }
    case 'tool_result': {
      const toolUseId = requireText(block['tool_use_id'], `${path}.tool_use_id`);
      const name = toolNames.get(toolUseId);
      return {
        type: 'tool_result',
        toolUseId,
        ...(name === undefined ? {} : { name }),
        output: blocksIn(block['content'], `${path}.content`, toolNames),
        ...(block['is_error'] === true ? { isError: true } : {}),
      };
    }
    default:
      throw unknownKind(path, block['type'], known);
  }
}

/** We have no document block: a text document becomes text, any other a short placeholder. */
function documentOf(block: Fields, path: string): Fields {
  const source = requireFields(block['source'], `${path}.source`);
  const title = typeof block['title'] === 'string' ? ` ${block['title']}` : '';
  if (source['type'] === 'text') return { type: 'text', text: requireText(source['data'], `${path}.source.data`) };
  const what = typeof source['url'] === 'string' ? source['url'] : String(source['media_type'] ?? source['type']);
  return { type: 'text', text: `[Document${title}: ${what}]` };
}
