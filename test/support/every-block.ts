// Every kind of block in the form the hub writes, with fields of its own that must be kept.

export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const data = (mediaType: string, bytes = pixel) => ({ type: 'base64', mediaType, data: bytes });
const at = (url: string) => ({ type: 'url', url });

export const everyBlock = [
  { type: 'text', text: 'What is in it? <b>&amp;</b> “ü” \u0000 \ud83d\ude00', note: { kept: [1, null] } },
  { type: 'image', source: at('https://example.com/photo.jpg'), detail: 'high' },
  { type: 'image', source: { ...at('file:///path/to/image.jpg'), mediaType: 'image/jpeg' } },
  { type: 'image', source: data('image/png'), alt: 'a dot' },
  { type: 'audio', source: { ...data('audio/wav', 'UklGRg=='), rate: 8000 } },
  { type: 'audio', source: at('https://example.com/a.mp3') },
  { type: 'video', source: data('video/mp4', 'AAAAGGZ0eXA=') },
  { type: 'video', source: at('https://example.com/v.mp4') },
  { type: 'thinking', thinking: 'Let me analyze this problem...', signature: 'sig' },
  {
    type: 'tool_use',
    id: 'call_abc123',
    name: 'get_weather',
    input: { city: 'Beijing' },
    content: '{"city":"Beijing"}',
  },
  { type: 'tool_result', toolUseId: 'call_1', name: 'get_weather', output: 'Sunny' },
  { type: 'tool_result', toolUseId: 'call_2', output: 'Connection timeout', isError: true },
  {
    type: 'tool_result',
    toolUseId: 'call_abc123',
    output: [
      { type: 'text', text: 'Beijing: Sunny, 25°C' },
      { type: 'image', source: data('image/png'), alt: 'again' },
      { type: 'audio', source: at('https://example.com/rain.mp3') },
    ],
  },
];

type Block = Record<string, unknown>;

/** The same as others write it. */
export function inSnakeCase(block: Block): Block {
  const { source, toolUseId, isError, output, ...rest } = block;
  return {
    ...rest,
    ...(source === undefined ? {} : { source: sourceInSnakeCase(source as Block) }),
    ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }),
    ...(isError === undefined ? {} : { is_error: isError }),
    ...(output === undefined ? {} : { output: Array.isArray(output) ? output.map(inSnakeCase) : output }),
  };
}

function sourceInSnakeCase({ mediaType, ...rest }: Block): Block {
  return mediaType === undefined ? rest : { ...rest, media_type: mediaType };
}
