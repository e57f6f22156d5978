// What a request that the SDK has parsed tells of its client.
import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';

/** Sent in every request of the 2026 era, and once, in the handshake, in the 2025 era. */
export function clientNameOf(server: Server, { mcpReq }: ServerContext): string | undefined {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const client = envelope[CLIENT_INFO_META_KEY];
  if (typeof client === 'object' && client !== null && 'name' in client) return String(client.name);
  return server.getClientVersion()?.name;
}

/** Undefined if the client asked for no progress. */
export function progressOf({ mcpReq }: ServerContext): ((message: string) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    // Lost clients are detected by the transport.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
