// The published examples of the message API that people port from, as TypeScript. The types of the built package are
// checked with them: every annotation here is one a ported program would have.
import { describe, expect, it } from 'vitest';
import {
  Base64Source,
  ImageBlock,
  Msg,
  MsgRole,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  URLSource,
  type ContentBlock,
} from '../../dist/contract/index.js';
import { formatMessages } from '../../dist/format/index.js';

describe('blocks', () => {
  it('are built, and typed by their names', () => {
    const text: TextBlock = TextBlock.builder().text('Hello, how can I help you?').build();
    expect(JSON.stringify(text)).toBe('{"type":"text","text":"Hello, how can I help you?"}');

    const urlImage: ImageBlock = ImageBlock.builder().source(URLSource.of('https://example.com/image.jpg')).build();
    const base64: Base64Source = Base64Source.builder().mediaType('image/png').data('aGk=').build();
    const base64Image: ImageBlock = ImageBlock.builder().source(base64).build();
    const fileImage: ImageBlock = ImageBlock.builder().source(URLSource.of('file:///path/to/image.jpg')).build();
    expect([urlImage, base64Image, fileImage].map(({ source }) => source.type)).toEqual(['url', 'base64', 'url']);
    expect([urlImage.source instanceof URLSource, base64Image.source instanceof URLSource]).toEqual([true, false]);

    const thinking: ThinkingBlock = ThinkingBlock.builder().thinking('Let me analyze this problem...').build();
    expect(thinking.thinking).toBe('Let me analyze this problem...');
  });

  it('take a Map as the input of a tool call, at any depth', () => {
    const toolUse: ToolUseBlock = ToolUseBlock.builder()
      .id('call_abc123')
      .name('get_weather')
      .input(new Map<string, unknown>([['city', 'Beijing']]))
      .build();
    expect(toolUse.input).toEqual({ city: 'Beijing' });
    const deep = new Map([['where', [new Map([['__proto__', { city: new Map([['name', 'Bonn']]) }]])]]]);
    expect(JSON.stringify(ToolUseBlock.of('c', 'f', deep).input)).toBe(
      '{"where":[{"__proto__":{"city":{"name":"Bonn"}}}]}',
    );
    expect(ToolUseBlock.of('c', 'f').input).toEqual({});
  });

  it('hold a result or a failure', () => {
    const success: ToolResultBlock = ToolResultBlock.builder()
      .toolUseId('call_abc123')
      .output([TextBlock.builder().text('Beijing: Sunny, 25°C').build()])
      .build();
    const error: ToolResultBlock = ToolResultBlock.error('call_abc123', 'API call failed: Connection timeout');
    expect([success.toolUseId, error['isError']]).toEqual(['call_abc123', true]);
  });

  it('are recognized by instanceof, those read from JSON too', () => {
    const blocks: ContentBlock[] = JSON.parse('[{"type":"text","text":"x"},{"type":"image","source":null}]');
    expect(blocks.map((block) => block instanceof TextBlock)).toEqual([true, false]);
    for (const other of [null, undefined, 'text', 7, {}, []]) expect(other instanceof TextBlock).toBe(false);
    const [first] = blocks;
    // Narrows: `text` exists only on a TextBlock.
    expect(first instanceof TextBlock ? first.text : '').toBe('x');
  });
});

describe('a message', () => {
  it('is the user’s unless said otherwise, with an id and a timestamp from its building', () => {
    const before = Date.now();
    const built = Msg.builder().textContent('Hello').build();
    const equivalent = Msg.builder()
      .content([TextBlock.builder().text('Hello').build()])
      .build();
    expect([built.getRole(), built.getContent()]).toEqual([MsgRole.USER, equivalent.getContent()]);
    expect(Date.parse(built.getTimestamp() ?? '')).toBeGreaterThanOrEqual(before);
    expect(built.getId()).toMatch(/^[0-9a-f]{32}$/);
    expect(built.getId()).not.toBe(equivalent.getId());
    const builder = Msg.builder().id('msg_001').timestamp(new Date(0));
    expect([builder.build().getId(), builder.build().getTimestamp()]).toEqual(['msg_001', '1970-01-01T00:00:00.000Z']);
  });

  it('has its parts under the names of the original', () => {
    const metadata = new Map<string, unknown>([['round', 1]]);
    const msg = Msg.builder().name('user').role(MsgRole.USER).textContent('Hi').metadata(metadata).build();
    const role: MsgRole = msg.getRole();
    expect([msg.getName(), role, msg.getMetadata()]).toEqual(['user', 'USER', { round: 1 }]);
  });

  it('with several media, and with tool calls and results', () => {
    const multimodal = Msg.builder()
      .name('user')
      .role(MsgRole.USER)
      .content([
        TextBlock.builder().text("What's in this image?").build(),
        ImageBlock.builder().source(URLSource.of('https://example.com/photo.jpg')).build(),
      ])
      .build();
    expect(multimodal.getContent()).toHaveLength(2);

    const toolCallMsg = Msg.builder()
      .role(MsgRole.ASSISTANT)
      .content([
        TextBlock.builder().text('Let me check the weather').build(),
        ToolUseBlock.builder()
          .id('call_001')
          .name('get_weather')
          .input(new Map([['city', 'Beijing']]))
          .build(),
      ])
      .build();
    const toolResultMsg = Msg.builder()
      .role(MsgRole.TOOL)
      .content([
        ToolResultBlock.builder()
          .toolUseId('call_001')
          .output([TextBlock.builder().text('Beijing: Sunny').build()])
          .build(),
      ])
      .build();

    const toolCalls: ToolUseBlock[] = toolCallMsg.getContent().filter((block) => block instanceof ToolUseBlock);
    expect(toolCalls).toEqual(toolCallMsg.getContentBlocks(ToolUseBlock));
    expect(toolCalls.map(({ name }) => name)).toEqual(['get_weather']);
    expect(toolCallMsg.getContent().some((block) => block instanceof ToolUseBlock)).toBe(true);
    expect([toolCallMsg, toolResultMsg].map((msg) => msg.hasContentBlocks(ToolUseBlock))).toEqual([true, false]);
    expect(toolCallMsg.getTextContent()).toBe('Let me check the weather');
    expect(formatMessages([toolCallMsg, toolResultMsg], { provider: 'openai' }).messages).toHaveLength(2);
  });

  it('of several agents is labelled with its name', () => {
    const from = (name: string, text: string) =>
      Msg.builder().name(name).role(MsgRole.ASSISTANT).textContent(text).build();
    const said = [from('AgentA', 'View A'), from('AgentB', 'View B')];
    expect(formatMessages(said, { provider: 'dashscope', mode: 'multiagent' }).messages).toEqual([
      { role: 'user', content: '[AgentA]: View A' },
      { role: 'user', content: '[AgentB]: View B' },
    ]);
  });
});

describe('a message of the hub', () => {
  const sent = { id: 'ma1', seq: 1, sender: 'ann', content: [{ type: 'text', text: 'Hi' }], timestamp: 'x' };

  it('has the name of its sender, also where the hub leaves it out', () => {
    expect(Msg.fromJSON(sent).getName()).toBe('ann');
    expect(Msg.fromJSON({ ...sent, name: 'Ann' }).getName()).toBe('Ann');
    expect(Msg.fromJSON({ ...sent, name: 'Ann' }).sender).toBe('ann');
  });

  it('may refer to an attachment', () => {
    const source = { type: 'attachment', mediaType: 'image/png', hash: 'ab', bytes: 9, index: 0, fetch: 'get it' };
    const content = [{ type: 'image', source }];
    expect(Msg.fromJSON({ ...sent, content }).getContent()).toEqual(content);
    expect(() => Msg.fromJSON({ ...sent, content: [{ type: 'image', source: { type: 'attachment' } }] })).toThrow(
      /^content\[0\]\.source/,
    );
  });

  it('written by the hub itself gets no authority from being a Msg', () => {
    const notice = Msg.fromJSON({ ...sent, sender: 'system', role: 'SYSTEM' });
    expect(formatMessages([notice], { provider: 'anthropic' })).toEqual({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    });
  });
});
