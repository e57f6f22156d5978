// Whether a hub answers at an address.

const answerMsMax = 3_000;

/** The release of the hub there, or undefined when there is none. */
export async function releaseAt(url: string, waitMs = answerMsMax): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/v1/openapi.json`, { signal: AbortSignal.timeout(waitMs) });
    const body: unknown = await answer.json();
    const about = typeof body === 'object' && body !== null && 'info' in body ? body.info : undefined;
    if (typeof about !== 'object' || about === null || !('title' in about) || about.title !== 'Coterie')
      return undefined;
    return 'version' in about ? String(about.version) : undefined;
  } catch {
    return undefined;
  }
}
