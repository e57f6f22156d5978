// Headers by which a program says more about itself than the agent's name.
import { limits } from './limits.js';

/** Unique to a program, so that the hub can tell it from others under the same name. */
export const clientIdHeader = 'coterie-client';
/** The id of a stdio bridge starts with this. */
export const bridgeIdPrefix = 'bridge-';
/** The id of every command: it acts for a person or a hook, beside the agent of that name. */
export const commandClientId = 'coterie-command';

/** The name of the client that a bridge speaks for, encoded as in a URL. */
export const clientTitleHeader = 'coterie-client-title';

/** `1` on a request that a program makes by itself, such as a bridge that connects: no model asked for it. */
export const unpromptedHeader = 'coterie-unprompted';

/** A client may call itself anything; a short line of text is shown. */
export function shortTitle(title: string): string | undefined {
  const line = title
    .slice(0, limits.nameChars)
    .replaceAll(/[\p{Cc}\p{Surrogate}]+/gu, ' ')
    .trim();
  return line === '' ? undefined : line;
}
