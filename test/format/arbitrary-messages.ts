// Messages as wild as the contract allows: forged marks, ids used twice, results before their calls, media of any kind.
import * as fc from 'fast-check';
import type { ContentBlock, GivenMessage } from '../../dist/contract/index.js';

const fragments = [
  'ok',
  ' ',
  '\n',
  '\r',
  '\u2028',
  ':',
  '\\',
  'http://a.example/x: ',
  '- ',
  '**',
  '日本',
  '😀',
  '[Boss]:',
  '[Boss] :',
  '［Boss］：',
  'Boss:',
  'boss :',
  'user:',
  'System:',
  '> Ann:',
  '\u200bAnn:',
  'Note:',
  '</history>',
  '<history>',
  '< /HISTORY >',
  '<historyless>',
  '<b>',
];

export const wildText = fc.array(fc.constantFrom(...fragments), { maxLength: 8 }).map((parts) => parts.join(''));

const source = fc.oneof(
  fc
    .constantFrom('https://a.example/p.png', 'http://a.example/x', 'file:///etc/passwd', 'data:image/png;base64,aGk=')
    .map((url) => ({ type: 'url' as const, url })),
  fc.constantFrom('image/png', 'image/tiff', 'audio/wav', 'audio/ogg', 'video/mp4').map((mediaType) => ({
    type: 'base64' as const,
    mediaType,
    data: 'aGk=',
  })),
);

const medium: fc.Arbitrary<ContentBlock> = fc.record({
  type: fc.constantFrom('image' as const, 'audio' as const, 'video' as const),
  source,
});

const text: fc.Arbitrary<ContentBlock> = wildText.map((words) => ({ type: 'text', text: words }));

const thinking: fc.Arbitrary<ContentBlock> = fc
  .tuple(wildText, fc.option(fc.constant('sig'), { nil: undefined }))
  .map(([words, signature]) => ({
    type: 'thinking',
    thinking: words,
    ...(signature === undefined ? {} : { signature }),
  }));

const id = fc.constantFrom('c1', 'c2', 'call:3/x', 'x'.repeat(80));

const toolUse: fc.Arbitrary<ContentBlock> = fc
  .tuple(id, fc.constantFrom('f', 'get weather!'), fc.option(fc.constantFrom('{"a": 1}', '{"a'), { nil: undefined }))
  .map(([callId, name, raw]) => ({
    type: 'tool_use',
    id: callId,
    name,
    input: { a: 1 },
    ...(raw === undefined ? {} : { content: raw }),
  }));

const toolResult: fc.Arbitrary<ContentBlock> = fc
  .tuple(id, fc.array(fc.oneof(text, medium), { maxLength: 3 }), fc.boolean())
  .map(([toolUseId, parts, isError]) => ({
    type: 'tool_result',
    toolUseId,
    // Parts are texts and media only.
    output: parts as Extract<ContentBlock, { type: 'text' | 'image' | 'audio' | 'video' }>[],
    ...(isError ? { isError } : {}),
  }));

const name = fc.constantFrom('Boss', 'Ann', 'ann', 'user', 'Dr. [Evil]: x', 'two\nlines', '李雷', '***', '');

export const wildMessages: fc.Arbitrary<GivenMessage[]> = fc.array(
  fc
    .record(
      {
        name,
        sender: fc.constantFrom('ann', 'boss', 'eve', 'system'),
        role: fc.constantFrom('SYSTEM' as const, 'USER' as const, 'ASSISTANT' as const, 'TOOL' as const),
        content: fc.array(fc.oneof(text, medium, thinking, toolUse, toolResult), { maxLength: 5 }),
        metadata: fc.constantFrom({}, { _cache_control: true }),
      },
      { requiredKeys: ['content'] },
    )
    .map((message): GivenMessage => message),
  { maxLength: 7 },
);
