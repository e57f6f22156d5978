// A key in a URL ends up in logs, histories and process lists. Such a request is refused, and the URL is not repeated.
import { HubError } from '../contract/errors.js';
import type { Exchange } from './exchange.js';

const secretNames = ['key', 'token', 'access_token', 'api_key', 'apikey', 'authorization', 'bearer'];
/** The beginning of a key, wherever it stands. */
const keyStart = /coterie_[a-z0-9]{12}_/;

/** Clients repeat a few URLs, and each is parsed once: what was found harmless is not looked at again. */
const harmless = new WeakSet<URL>();

export function refuseKeyInUrl({ request: { url: target = '' }, url }: Exchange): void {
  if (harmless.has(url)) return;
  const name =
    url.search === ''
      ? undefined
      : [...url.searchParams.keys()].find((given) => secretNames.includes(given.toLowerCase()));
  if (name === undefined && !keyStart.test(target)) {
    harmless.add(url);
    return;
  }
  const what = name === undefined ? 'a key' : `?${name.toLowerCase()}=`;
  throw new HubError('KEY_IN_URL', `The URL has ${what} in it. A key there would be logged on its way.`, {
    hint: 'Send it as the header Authorization: Bearer KEY. If it was a key, replace it: coterie keys rotate.',
  });
}
