// The official MCP clients: v2 in both protocol eras, and v1. Giving up is their own time-out, or an abort: 2025 clients
// then post a cancellation that says which, 2026 clients close the call's connection.
import { after } from './aim.mjs';
import { errorOf, Refused } from './http-callers.mjs';

const callMsMax = 20_000;
/** A hub that dies in the middle of the handshake leaves the SDK waiting for the rest of it. */
const connectMsMax = 3_000;

export function mcpCaller(via, { hubs, agent }) {
  const connect = via === 'mcp-v1' ? connectV1 : connectV2;
  const clients = new Map();
  return {
    /** Before a call begins, since it takes its time, and the hub may just be down. */
    async connect() {
      if (clients.has(hubs.url)) return;
      clients.set(hubs.url, await connect(new URL(`${hubs.url}/mcp?agent=${agent}`), via));
    },
    async call(operation, input, give) {
      const client = clients.get(hubs.url);
      if (give?.aborts) return callAborted(client, { operation, input, upAfterMs: give.upAfterMs });
      const timeout = give === undefined ? callMsMax : Math.max(1, Math.round(give.upAfterMs));
      return resultOf(await client.callTool(operation, input, { timeout }));
    },
  };
}

async function callAborted(client, { operation, input, upAfterMs }) {
  const abort = new AbortController();
  const callOff = after(upAfterMs, () => abort.abort());
  try {
    return resultOf(await client.callTool(operation, input, { timeout: callMsMax, signal: abort.signal }));
  } catch (error) {
    throw abort.signal.aborted ? new Error('aborted', { cause: error }) : error;
  } finally {
    callOff();
  }
}

async function connectV1(address) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const client = new Client({ name: 'fault-load', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(address), { timeout: connectMsMax });
  return { callTool: (name, input, options) => client.callTool({ name, arguments: input }, undefined, options) };
}

async function connectV2(address, via) {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const mode = via === 'mcp-v2-2025' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'fault-load', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(address), { timeout: connectMsMax });
  return { callTool: (name, input, options) => client.callTool({ name, arguments: input }, options) };
}

function resultOf(result) {
  if (result.isError !== true) return result.structuredContent;
  const error = result._meta?.['coterie/error'];
  throw error === undefined ? new Refused(result.content[0].text) : errorOf(error);
}
