// Refuses an option that does not exist: programs in plain JavaScript have no compiler to refuse it.
import { HubError } from '../contract/errors.js';
import { nearest } from '../contract/input/nearest.js';

export function requireKnown(option: string, value: unknown, known: readonly string[]): void {
  const given = String(value);
  if (known.includes(given)) return;
  const [near] = nearest(given, known);
  const allowed = `Allowed: ${known.join(', ')}.`;
  throw new HubError('INVALID_INPUT', `There is no ${option} '${given.slice(0, 64)}'.`, {
    hint: near === undefined ? allowed : `Did you mean ${near}? ${allowed}`,
    details: { field: option, nearest: near ?? null },
  });
}
