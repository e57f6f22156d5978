// A message's blocks as one text, for the <content> element.
import { textOf, type ContentBlock, type MediaSource } from '../content-block.js';
import { bytesIn } from '../content/base64.js';

/** Text blocks are unchanged; every other block becomes a short description in brackets. */
export function contentAsText(blocks: readonly ContentBlock[]): string {
  if (blocks.every((block) => block.type === 'text')) return textOf(blocks);
  return blocks
    .map((block) => {
      if (block.type === 'text') return block.text;
      if (block.type === 'thinking') return `[thinking] ${block.thinking}`;
      if (block.type === 'tool_use') return `[tool_use ${block.id}] ${block.name} ${JSON.stringify(block.input)}`;
      if (block.type === 'tool_result')
        return `[tool_result ${block.toolUseId}${block['isError'] === true ? ' error' : ''}] ${resultText(block.output)}`;
      return `[${block.type} ${sourceText(block.source)}]`;
    })
    .join('\n');
}

/** Size and media type; the data itself is useless as text. */
export function sourceText(source: MediaSource): string {
  if (source.type === 'url') return source.url;
  const bytes = source.type === 'attachment' ? source.bytes : bytesIn(source.data);
  const size = `${source.mediaType}, ${Math.ceil(bytes / 1024)} KB`;
  return source.type === 'attachment' && source.fetch !== undefined ? `${size}, ${source.fetch}` : size;
}

function resultText(output: Extract<ContentBlock, { type: 'tool_result' }>['output']): string {
  if (typeof output === 'string') return output;
  return contentAsText(output);
}
