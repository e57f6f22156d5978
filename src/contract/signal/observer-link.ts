// The link of an observer, whose secret is in the fragment, which browsers do not send. Runs in browsers too.

export interface ObserverLink {
  linkId: string;
  /** 256 bits, base64url. */
  secret: string;
}

export const observerPath = '/app/observe';

export function observerFragment({ linkId, secret }: ObserverLink): string {
  return `${linkId}.${secret}`;
}

export function observerLink(hubUrl: string, fragment: string): string {
  return `${hubUrl}${observerPath}#${fragment}`;
}

/** The fragment of a link. */
export function readObserverFragment(given: string): ObserverLink | undefined {
  const [, linkId, secret] = /^#?(o-[0-9a-f]{24})\.([\w-]{43})$/.exec(given.slice(0, 200)) ?? [];
  return linkId === undefined || secret === undefined ? undefined : { linkId, secret };
}
