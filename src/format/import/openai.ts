// Imports messages of OpenAI Chat Completions and compatible APIs.
import {
  isFields,
  messagesIn,
  requireFields,
  requireList,
  requireText,
  sourceOfUrl,
  unknownKind,
  type Fields,
} from './given.js';
import { badMessage } from '../../contract/msg/read-messages.js';

export const openaiRoles: Readonly<Record<string, string>> = {
  system: 'SYSTEM',
  developer: 'SYSTEM',
  user: 'USER',
  assistant: 'ASSISTANT',
  tool: 'TOOL',
  function: 'TOOL',
};

export function fromOpenai(document: unknown): Fields[] {
  const toolNames = new Map<string, string>();
  return messagesIn(document).map((message, index) => {
    const path = `messages[${index}]`;
    const role = openaiRoles[String(message['role'])];
    if (role === undefined) {
      throw badMessage(`${path}.role`, `must be one of ${Object.keys(openaiRoles).join(', ')}`);
    }
    const { name } = message;
    const parts = partsIn(message['content'], `${path}.content`);
    if (role === 'TOOL') return { role, content: [resultOf(message, parts, { path, toolNames })] };
    const calls = callsIn(message, path);
    for (const call of calls) toolNames.set(String(call['id']), String(call['name']));
    const reasoning = message['reasoning_content'];
    const thinking =
      typeof reasoning === 'string' && reasoning !== '' ? [{ type: 'thinking', thinking: reasoning }] : [];
    const refusal = message['refusal'];
    const refused = typeof refusal === 'string' && refusal !== '' ? [{ type: 'text', text: refusal }] : [];
    return {
      ...(typeof name === 'string' ? { name } : {}),
      role,
      content: [...thinking, ...parts, ...refused, ...calls],
      ...(message['cache_control'] === undefined ? {} : { metadata: { _cache_control: true } }),
    };
  });
}

function partsIn(content: unknown, path: string): Fields[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return requireList(content, path).map((part, index) => partOf(part, `${path}[${index}]`));
}

function partOf(given: unknown, path: string): Fields {
  const part = requireFields(given, path);
  switch (part['type']) {
    case 'text':
      return { type: 'text', text: requireText(part['text'], `${path}.text`) };
    case 'refusal':
      return { type: 'text', text: requireText(part['refusal'], `${path}.refusal`) };
    case 'image_url': {
      const image = part['image_url'];
      const url = isFields(image) ? image['url'] : image;
      return { type: 'image', source: sourceOfUrl(requireText(url, `${path}.image_url.url`)) };
    }
    case 'input_audio': {
      const audio = requireFields(part['input_audio'], `${path}.input_audio`);
      const format = requireText(audio['format'], `${path}.input_audio.format`);
      const mediaType = format === 'mp3' ? 'audio/mpeg' : `audio/${format}`;
      const data = requireText(audio['data'], `${path}.input_audio.data`);
      return { type: 'audio', source: { type: 'base64', mediaType, data } };
    }
    default:
      throw unknownKind(path, part['type'], ['text', 'refusal', 'image_url', 'input_audio']);
  }
}

function callsIn(message: Fields, path: string): Fields[] {
  const calls = message['tool_calls'];
  if (calls === null || calls === undefined) return [];
  return requireList(calls, `${path}.tool_calls`).map((given, index) => {
    const callPath = `${path}.tool_calls[${index}]`;
    const call = requireFields(given, callPath);
    const { name, arguments: raw } = requireFields(call['function'], `${callPath}.function`);
    return {
      type: 'tool_use',
      id: requireText(call['id'], `${callPath}.id`),
      name: requireText(name, `${callPath}.function.name`),
      ...argumentsOf(raw ?? '{}', `${callPath}.function.arguments`),
    };
  });
}

/** The model's raw text is kept if serializing the parsed object would not restore it. */
export function argumentsOf(raw: unknown, path: string): Fields {
  if (isFields(raw)) return { input: raw };
  const text = requireText(raw, path);
  const input = objectIn(text);
  return input !== undefined && JSON.stringify(input) === text ? { input } : { input: input ?? {}, content: text };
}

function objectIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function resultOf(
  message: Fields,
  output: Fields[],
  { path, toolNames }: { path: string; toolNames: ReadonlyMap<string, string> },
): Fields {
  const { name, tool_call_id: id } = message;
  // Legacy function messages have only a name.
  const toolUseId = requireText(id ?? (message['role'] === 'function' ? name : id), `${path}.tool_call_id`);
  const toolName = typeof name === 'string' ? name : toolNames.get(toolUseId);
  return { type: 'tool_result', toolUseId, ...(toolName === undefined ? {} : { name: toolName }), output };
}
