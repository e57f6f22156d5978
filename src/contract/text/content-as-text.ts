// A message's blocks as one text: what stands between <content> and </content>.
import { textOf, type ContentBlock, type MediaSource } from '../content-block.js';
import { bytesIn } from '../content/base64.js';

/** Text blocks as they are; every other block as a short word in brackets, so nothing vanishes. */
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

/** The data itself is for programs; to a reader of text it is noise. */
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
