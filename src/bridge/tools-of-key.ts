// Which tools the bridge's key may call: those that the hub itself would list for it.
import { z } from 'zod';
import type { Post } from '../client/post.js';
import type { ShownTools } from '../contract/shown-tools.js';

export interface ListingHub {
  url: string;
  key: string;
  post: Post;
}

const listing = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });

/** A client waits for its list of tools before anything else. */
const listMs = 2_000;

/** All that are shown, if the hub cannot be asked: a call says what the key may not do. */
export async function toolsOfKey(shown: ShownTools, hub: Promise<ListingHub>): Promise<ShownTools> {
  try {
    const allowed = await namesListed(await hub);
    return { ...shown, names: new Set([...shown.names].filter((name) => allowed.has(name))) };
  } catch {
    return shown;
  }
}

async function namesListed({ url, key, post }: ListingHub): Promise<Set<string>> {
  const { status, body } = await post({
    url: `${url}/mcp?tools=all`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    signal: AbortSignal.timeout(listMs),
  });
  if (status !== 200) throw new Error(`tools/list: ${status}`);
  // As JSON, or as the one event of a stream.
  const json = /^data: (.*)$/m.exec(body)?.[1] ?? body;
  const { result } = listing.parse(JSON.parse(json));
  return new Set(result.tools.map(({ name }) => name));
}
