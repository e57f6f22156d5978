// Pictures and sounds as a model is shown them beside an answer: MCP's own content, so that it sees and hears them.
import { z } from 'zod';

/** What it is said to belong to, and the content itself. */
export const shownMedia = z.array(
  z.object({ label: z.string(), type: z.enum(['image', 'audio']), mimeType: z.string(), data: z.string() }),
);

export type ShownMedia = z.infer<typeof shownMedia>;

/** A picture costs a model by its size in points, not in bytes; about so much at most. */
const pictureTokens = 1_600;

/** A sound by its length: at 16 KB a second and 32 tokens a second. */
const soundTokensPerKilobyte = 2;

export function shownTokens(type: 'image' | 'audio', bytes: number): number {
  return type === 'image' ? pictureTokens : Math.ceil(bytes / 1024) * soundTokensPerKilobyte;
}
