// Ids from the system's random source.
import { randomBytes, randomInt } from 'node:crypto';
import type { Ids } from '../ports/ids.js';

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

export function randomIds(): Ids {
  /** Distinguishes this run from earlier ones, so that no token is used twice. */
  const run = pick(6);
  let leases = 0;
  return {
    // Shown with every message of the thread: twelve digits are four tokens, twelve letters would be seven. `threadIdPattern`.
    threadId: () => `t${randomInt(1e11, 1e12)}`,
    sessionId: () => `s${pick(12)}`,
    importId: () => `i${pick(20)}`,
    questionId: () => `q-${randomInt(1e11, 1e12)}`,
    alertId: () => `a-${randomInt(1e11, 1e12)}`,
    channelId: () => `c${pick(12)}`,
    wakeRouteId: () => `r${randomInt(1e11, 1e12)}`,
    wakeId: () => `w${randomInt(1e11, 1e12)}`,
    leaseToken: () => `${run}${(leases++).toString(36)}`,
  };
}

function pick(count: number): string {
  return Array.from(randomBytes(count), (byte) => letters[byte & 31]).join('');
}
