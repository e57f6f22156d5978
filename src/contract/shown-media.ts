// Images and audio shown to a model with an answer, as MCP content.
import { z } from 'zod';

/** `label` names the message the media belongs to. */
export const shownMedia = z.array(
  z.object({ label: z.string(), type: z.enum(['image', 'audio']), mimeType: z.string(), data: z.string() }),
);

export type ShownMedia = z.infer<typeof shownMedia>;

/** Models charge images by pixels, not by bytes: about this much at most. */
const imageTokens = 1_600;

/** Audio is charged by duration: 16 KB and 32 tokens per second. */
const audioTokensPerKilobyte = 2;

export function shownTokens(type: 'image' | 'audio', bytes: number): number {
  return type === 'image' ? imageTokens : Math.ceil(bytes / 1024) * audioTokensPerKilobyte;
}
