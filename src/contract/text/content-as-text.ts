// A message's blocks as one text: what stands between <content> and </content>.
import { textOf, type ContentBlock } from '../content-block.js';

type Source = Extract<ContentBlock, { type: 'image' }>['source'];

/** Text blocks as they are; every other block as a short word in brackets, so nothing vanishes. */
export function contentAsText(blocks: readonly ContentBlock[]): string {
  if (blocks.every((block) => block.type === 'text')) return textOf(blocks);
  return blocks
    .map((block) => {
      if (block.type === 'text') return block.text;
      if (block.type === 'thinking') return `[thinking] ${block.thinking}`;
      if (block.type === 'tool_use') return `[tool_use ${block.id}] ${block.name} ${JSON.stringify(block.input)}`;
      if (block.type === 'tool_result') return `[tool_result ${block.toolUseId}] ${resultText(block.output)}`;
      return `[${block.type} ${sourceText(block.source)}]`;
    })
    .join('\n');
}

/** The data itself is for programs; to a reader of text it is noise. */
function sourceText(source: Source): string {
  if (source.type === 'url') return source.url;
  return `${source.mediaType}, ${Math.ceil((source.data.length * 3) / 4 / 1024)} KB`;
}

function resultText(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
