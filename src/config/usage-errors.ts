// Errors for settings that are unknown or have a value that is not allowed.
import { HubError } from '../contract/errors.js';
import { nearest } from '../contract/input/nearest.js';

/** `known` as a user writes them; leading dashes do not count in the comparison. */
export function unknownName(given: string, name: string, known: readonly string[]): HubError {
  const [near] = nearest(
    name,
    known.map((flag) => flag.replace(/^--/, '')),
  );
  const meant = known.find((flag) => flag.replace(/^--/, '') === near);
  const all = `Known: ${known.join(', ')}.`;
  return usage(`${given} is not known.`, meant === undefined ? all : `Did you mean ${meant}? ${all}`);
}

export function usage(message: string, hint: string): HubError {
  return new HubError('USAGE', message, { hint });
}
