// What a hub says of itself to everyone: GET /app/hub.
import { z } from 'zod';
import { publicKeys } from '../../contract/signal/signal.js';

const hubFacts = z.looseObject({
  url: z.string(),
  mode: z.enum(['open', 'keys']),
  localPerson: z.string().optional(),
  hub: publicKeys,
});
export type HubFacts = z.output<typeof hubFacts>;

const answerMsMax = 3_000;

/** Undefined if no hub answers there. */
export async function hubFactsAt(url: string): Promise<HubFacts | undefined> {
  try {
    const answer = await fetch(`${url}/app/hub`, { signal: AbortSignal.timeout(answerMsMax) });
    return hubFacts.parse(await answer.json());
  } catch {
    return undefined;
  }
}
