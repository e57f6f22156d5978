// Whether a data folder, or a file in it, is this user's alone. In any other, someone else could say where a hub is.
import { statSync, type Stats } from 'node:fs';
import { HubError } from '../contract/errors.js';
import { shellArgument } from '../contract/shell-argument.js';

const writableByOthers = 0o022;

/** Why it is not, or undefined. Windows has no uids: there the folder's access list decides. */
export function whyNotOwn(path: string): string | undefined {
  const me = process.geteuid?.();
  const found = statOf(path);
  if (me === undefined || found === undefined) return undefined;
  if (found === 'hidden') return 'cannot be looked at by you';
  if (found.uid !== me) return `belongs to ${found.uid === 0 ? 'root' : `user ${found.uid}`}, not to you`;
  return (found.mode & writableByOthers) === 0 ? undefined : 'can be written by other users';
}

export function requireOwn(path: string): void {
  const problem = whyNotOwn(path);
  if (problem === undefined) return;
  const mend = problem.startsWith('can be')
    ? `If only you should use it: chmod go-w ${shellArgument(path)}. Otherwise name`
    : 'Name';
  throw new HubError('DATA_NOT_YOURS', `${path} ${problem}, so the hub it names cannot be trusted.`, {
    hint: `${mend} a running hub with --url URL, or another folder with --data DIR.`,
    details: { path },
  });
}

function statOf(path: string): Stats | 'hidden' | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return 'hidden';
  }
}
