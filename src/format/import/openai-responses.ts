// Imports items of OpenAI Responses: a request's `input`, a response's `output`, or a plain list.
import { badMessage } from '../../contract/msg/read-messages.js';
import { isFields, requireFields, requireList, requireText, sourceOfUrl, unknownKind, type Fields } from './given.js';
import { argumentsOf, openaiRoles } from './openai.js';

const itemTypes = ['message', 'function_call', 'function_call_output', 'reasoning'];
const partTypes = ['input_text', 'output_text', 'refusal', 'input_image'];

/** Recognized by fields that only Responses has: plain roles and texts look the same in both OpenAI formats. */
export function isResponses(document: unknown): boolean {
  if (isFields(document) && ('input' in document || 'output' in document)) return true;
  const list = isFields(document) ? document['messages'] : document;
  return Array.isArray(list) && list.some(isItem);
}

function isItem(given: unknown): boolean {
  if (!isFields(given)) return false;
  const { type, content } = given;
  if (typeof type === 'string' && itemTypes.includes(type)) return true;
  return (
    Array.isArray(content) &&
    content.some((part) => isFields(part) && /^(?:in|out)put_(?:text|image)$/.test(String(part['type'])))
  );
}

export function fromResponses(document: unknown): Fields[] {
  const { list, name, instructions } = itemsIn(document);
  const toolNames = new Map<string, string>();
  const messages = instructions === undefined ? [] : [{ role: 'SYSTEM', content: textBlocks(instructions) }];
  let turn: Turn | undefined;
  for (const [index, given] of list.entries()) {
    const path = `${name}[${index}]`;
    const item = requireFields(given, path);
    const parsed = parseItem(item, path, toolNames);
    if (turn !== undefined && belongsTo(turn, parsed)) {
      turn.content.push(...parsed.content);
    } else {
      turn = { role: parsed.role, content: parsed.content };
      messages.push(turn);
    }
    turn.last = parsed.kind;
  }
  return messages.map(({ role, content }) => ({ role, content }));
}

interface ParsedItem {
  role: string;
  kind: 'reasoning' | 'text' | 'call' | 'result';
  content: Fields[];
}

interface Turn {
  role: string;
  content: Fields[];
  last?: ParsedItem['kind'];
}

/** One model turn is a sequence of items: reasoning, text, then calls. */
function belongsTo(turn: Turn, { role, kind }: ParsedItem): boolean {
  if (turn.role !== 'ASSISTANT' || role !== 'ASSISTANT') return false;
  return kind === 'call' || turn.last === 'reasoning';
}

function itemsIn(document: unknown): { list: unknown[]; name: string; instructions?: string } {
  if (!isFields(document)) return { list: requireList(document, 'input'), name: 'input' };
  const name = ['input', 'output', 'messages'].find((field) => field in document) ?? 'input';
  const given = document[name];
  // A single user message may be a plain string.
  const list = name === 'input' && typeof given === 'string' ? [{ role: 'user', content: given }] : given;
  const { instructions } = document;
  return {
    list: requireList(list, name),
    name,
    ...(typeof instructions === 'string' && instructions !== '' ? { instructions } : {}),
  };
}

function parseItem(item: Fields, path: string, toolNames: Map<string, string>): ParsedItem {
  switch (item['type'] ?? 'message') {
    case 'message': {
      const role = openaiRoles[String(item['role'])];
      if (role === undefined || role === 'TOOL')
        throw badMessage(`${path}.role`, 'must be one of system, developer, user, assistant');
      return { role, kind: 'text', content: partsIn(item['content'], `${path}.content`) };
    }
    case 'reasoning':
      return { role: 'ASSISTANT', kind: 'reasoning', content: [thinkingBlock(item, path)] };
    case 'function_call': {
      const id = requireText(item['call_id'], `${path}.call_id`);
      const name = requireText(item['name'], `${path}.name`);
      toolNames.set(id, name);
      const call = { type: 'tool_use', id, name, ...argumentsOf(item['arguments'] ?? '{}', `${path}.arguments`) };
      return { role: 'ASSISTANT', kind: 'call', content: [call] };
    }
    case 'function_call_output': {
      const toolUseId = requireText(item['call_id'], `${path}.call_id`);
      const name = toolNames.get(toolUseId);
      const output = partsIn(item['output'], `${path}.output`);
      const result = { type: 'tool_result', toolUseId, ...(name === undefined ? {} : { name }), output };
      return { role: 'TOOL', kind: 'result', content: [result] };
    }
    default:
      throw unknownKind(path, item['type'], itemTypes);
  }
}

/** Encrypted reasoning is kept unchanged; the summary is its readable part. */
function thinkingBlock(item: Fields, path: string): Fields {
  const { id, encrypted_content: encrypted } = item;
  const summary = requireList(item['summary'] ?? [], `${path}.summary`).map((given, index) => {
    const partPath = `${path}.summary[${index}]`;
    return requireText(requireFields(given, partPath)['text'], `${partPath}.text`);
  });
  return {
    type: 'thinking',
    thinking: summary.join('\n'),
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof encrypted === 'string' ? { encryptedContent: encrypted } : {}),
  };
}

function partsIn(content: unknown, path: string): Fields[] {
  if (content === null || content === undefined || typeof content === 'string') return textBlocks(content ?? '');
  return requireList(content, path).map((given, index) => {
    const partPath = `${path}[${index}]`;
    const part = requireFields(given, partPath);
    switch (part['type']) {
      case 'input_text':
      case 'output_text':
        return { type: 'text', text: requireText(part['text'], `${partPath}.text`) };
      case 'refusal':
        return { type: 'text', text: requireText(part['refusal'], `${partPath}.refusal`) };
      case 'input_image':
        return { type: 'image', source: sourceOfUrl(requireText(part['image_url'], `${partPath}.image_url`)) };
      default:
        throw unknownKind(partPath, part['type'], partTypes);
    }
  });
}

function textBlocks(text: string): Fields[] {
  return text === '' ? [] : [{ type: 'text', text }];
}
