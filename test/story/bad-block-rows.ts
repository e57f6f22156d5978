// What can be wrong with a block: each with the path of the fault, as the caller wrote it.
import type { ErrorCode } from '../../dist/contract/index.js';
import type { Row } from './bad-input-row.js';

const text = { type: 'text', text: 'x' };
const picture = (source: unknown) => ({ type: 'image', source });
const base64 = (fields: object) => picture({ type: 'base64', mediaType: 'image/png', data: 'AQID', ...fields });
const result = (fields: object) => ({ type: 'tool_result', toolUseId: 'c1', output: 'x', ...fields });
const use = (fields: object) => ({ type: 'tool_use', id: 'c1', name: 'f', input: {}, ...fields });
const resource = (fields: object) => ({ type: 'resource', resource: { uri: 'a:b', ...fields } });

/** What, the block at fault, the path behind its place, and the code where it is not INVALID_INPUT. */
const faults: [what: string, block: unknown, path: string, code?: ErrorCode][] = [
  ['text for a block', 'x', ''],
  ['nothing for a block', null, ''],
  ['a list for a block', [], ''],
  ['a block without a type', { text: 'x' }, '.type'],
  ['a block of a type in capitals', { type: 'TEXT', text: 'x' }, '.type'],
  ['a type that every object has', { type: 'constructor' }, '.type'],
  ['a number for text', { type: 'text', text: 5 }, '.text'],
  ['thinking without a thought', { type: 'thinking', text: 'x' }, '.thinking'],
  ['a signature that is no text', { type: 'thinking', thinking: 'x', signature: 5 }, '.signature'],
  ['an image without a source', { type: 'image' }, '.source'],
  ['a source that is text', picture('https://example.com'), '.source'],
  ['a source without a type', picture({ url: 'https://example.com' }), '.source.type'],
  ['a file as a source', picture({ type: 'file', path: '/x' }), '.source.type'],
  ['a reference as a source', picture({ type: 'attachment', hash: 'x', mediaType: 'image/png' }), '.source.type'],
  ['an address that is no text', picture({ type: 'url', url: 5 }), '.source.url'],
  ['an empty address', picture({ type: 'url', url: '' }), '.source.url'],
  ['data without a media type', base64({ mediaType: undefined }), '.source.mediaType'],
  ['a media type that is none', base64({ mediaType: 'png' }), '.source.mediaType'],
  ['the same in snake_case', base64({ mediaType: undefined, media_type: 'png' }), '.source.media_type'],
  ['no data', base64({ data: undefined }), '.source.data'],
  ['empty data', base64({ data: '' }), '.source.data'],
  ['data that is no text', base64({ data: [1, 2, 3] }), '.source.data'],
  ['data in another alphabet', base64({ data: 'AQ-_' }), '.source.data'],
  ['data with a line break', base64({ data: 'AQ\nD' }), '.source.data'],
  ['data beyond ASCII', base64({ data: 'AQIé' }), '.source.data'],
  ['data without its padding', base64({ data: 'AQIDBA' }), '.source.data'],
  ['data with padding inside', base64({ data: 'AQ==AQID' }), '.source.data'],
  ['data with too much padding', base64({ data: 'A===' }), '.source.data'],
  ['a data URL for data', base64({ data: 'data:image/png;base64,AQID' }), '.source.data'],
  ['a call without an id', use({ id: undefined }), '.id'],
  ['a call with an empty id', use({ id: '' }), '.id'],
  ['a call without a name', use({ name: 7 }), '.name'],
  ['a call without input', use({ input: undefined }), '.input'],
  ['a call whose input is a list', use({ input: [] }), '.input'],
  ['a result of no call', result({ toolUseId: undefined }), '.toolUseId'],
  ['the same in snake_case', result({ toolUseId: undefined, tool_use_id: 5 }), '.tool_use_id'],
  ['the same by another name', result({ toolUseId: undefined, id: '' }), '.id'],
  ['a result without output', result({ output: undefined }), '.output'],
  ['a result whose output is an object', result({ output: text }), '.output'],
  ['a result by another name', result({ output: undefined, content: 5 }), '.content'],
  ['a result that is an error by word', result({ isError: 'yes' }), '.isError'],
  ['the same in snake_case', result({ is_error: 'yes' }), '.is_error'],
  ['a thought inside a result', result({ output: [{ type: 'thinking', thinking: 'x' }] }), '.output[0].type'],
  ['a result inside a result', result({ output: [text, result({})] }), '.output[1].type'],
  ['bad data inside a result', result({ output: [text, base64({ data: '***' })] }), '.output[1].source.data'],
  ['MCP data without a type', { type: 'image', data: 'AQID' }, '.mimeType'],
  ['MCP data that is none', { type: 'audio', data: '***', mimeType: 'audio/wav' }, '.data'],
  ['a resource without a uri', { type: 'resource', resource: { text: 'x' } }, '.resource.uri'],
  ['a resource without anything', resource({}), '.resource'],
  ['a resource no block can carry', resource({ blob: 'AQID', mimeType: 'application/pdf' }), '.resource.blob'],
  ['a link to nowhere', { type: 'resource_link', name: 'x' }, '.uri'],
  ['a picture too large', base64({ data: 'AAAA'.repeat(2_796_203) }), '.source.data', 'TOO_LARGE'],
];

const escaped = (path: string) => path.replaceAll(/[.[\]]/g, String.raw`\$&`);

export const malformedBlocks: Row[] = [
  ...faults.map(([what, block, path, code = 'INVALID_INPUT']): Row => {
    const says = new RegExp(`^content${escaped(`[2]${path}`)}: `);
    return [what, 'send_message', { threadId: 'OPEN', content: [text, text, block] }, code, says];
  }),
  ...[1_001, 5_000].map((count): Row => {
    const content = Array.from({ length: count }, () => text);
    const says = new RegExp(`^content: has ${count} blocks; a message may have 1000`);
    return [`${count} blocks`, 'send_message', { threadId: 'OPEN', content }, 'INVALID_INPUT', says];
  }),
  [
    '1,000 nested outputs',
    'send_message',
    { threadId: 'OPEN', content: [result({ output: Array.from({ length: 1_000 }, () => text) })] },
    'INVALID_INPUT',
    /^content\[0\]\.output: has too many blocks .*1000/,
  ],
  [
    'a bad block that opens a thread',
    'create_thread',
    { title: 'a', initial_message: [base64({ data: '***' })] },
    'INVALID_INPUT',
    /^initial_message\[0\]\.source\.data: /,
  ],
  ['an attachment by no name', 'get_attachment', {}, 'INVALID_INPUT', /^messageId: is required, or hash/],
  ['an attachment by a bad hash', 'get_attachment', { hash: 'abc' }, 'INVALID_INPUT', /^hash: .*64/],
  ['an attachment of no message', 'get_attachment', { messageId: 'mb99zzz' }, 'MESSAGE_UNKNOWN', /'mb99zzz'/],
  [
    'an attachment nobody sent',
    'get_attachment',
    { hash: 'ab'.repeat(32) },
    'ATTACHMENT_UNKNOWN',
    /No attachment with hash abab/,
  ],
];
