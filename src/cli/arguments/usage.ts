// Usage errors: exit code 2, what was wrong, what is allowed.
import { HubError } from '../../contract/errors.js';
import { nearest } from '../../contract/input/nearest.js';

export function usage(message: string, hint: string): HubError {
  return new HubError('USAGE', message, { hint });
}

/** "Did you mean 'x'? " if a known name is similar. */
export function didYouMean(given: string, known: Iterable<string>, written: (name: string) => string): string {
  const [near] = nearest(given, known);
  return near === undefined ? '' : `Did you mean ${written(near)}? `;
}
