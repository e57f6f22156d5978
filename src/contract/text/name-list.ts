// A list of names in a sentence, cut when it is long.
import { inLine } from './in-line.js';

const namesShown = 10;

export function nameList(names: readonly string[], leftOut = 0): string {
  const more = Math.max(0, names.length - namesShown) + leftOut;
  return `${names.slice(0, namesShown).map(inLine).join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
