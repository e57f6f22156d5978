// coterie mcp: an MCP server on stdio beside an agent; every tool call goes on to the hub.
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENT_INFO_META_KEY, Server, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { HubClient } from '../client/hub-client.js';
import { instructions } from '../mcp/instructions.js';
import { listTools } from '../mcp/tool-list.js';
import { createPost } from './half-close-post.js';
import { HubConnection } from './hub-connection.js';
import { ReplyEvidence } from './reply-evidence.js';
import { Settlements } from './settlements.js';
import { StdioTransport } from './stdio-transport.js';
import { forwardToolCall, type ForwardPorts } from './forward-tool-call.js';

export interface BridgeOptions {
  stdin: Readable;
  stdout: Writable;
  /** Resolves when this process is told to end. */
  signalled: Promise<void>;
  locate: (isReturning: boolean) => Promise<string>;
  agent: string | undefined;
  session: string | undefined;
  /** `all`, or names with commas; null for the everyday tools. */
  tools: string | null;
  waitMsUnknownClient: number;
  resultTokens: number;
  version: string;
  report: (problem: string) => void;
}

/** A client that closed its end may still read the answers to its last calls, if nobody tells us to hurry. */
const lastAnswersMs = 5_000;
const lastAnswersHurriedMs = 500;
/** Time for a broken pipe to show itself after the end of input. */
const probeAfterMs = 20;
/** The hub must learn the outcome of the last answers within this time, or their leases run out. */
const lastSettlementsMs = 1_000;

/** Serves until the client goes away or the process is told to end. */
export async function runBridge(options: BridgeOptions): Promise<void> {
  const { stdin, stdout, agent, session, report } = options;
  const { post, close: closePost } = createPost();
  const clientId = `bridge-${randomUUID()}`;
  const identity = { ...(agent === undefined ? {} : { agent }), ...(session === undefined ? {} : { session }) };
  const hub = new HubConnection({
    locate: options.locate,
    clientAt: (url) => new HubClient({ url, clientId, post, resultTokens: options.resultTokens, ...identity }),
  });
  const evidence = new ReplyEvidence();
  const settlements = new Settlements(hub, report);
  const gone = new AbortController();
  const transport = new StdioTransport({ stdin, stdout, evidence });
  const ports: ForwardPorts = {
    ...{ hub, settlements, evidence, agent },
    waitMsUnknownClient: options.waitMsUnknownClient,
    newKey: () => `bridge-${randomUUID()}`,
    gone: gone.signal,
  };
  const serving = serveStdio(() => buildServer(ports, options), {
    transport,
    onerror: (error) => report(error.message),
  });
  // The hub is there by the time the first call comes; if it cannot be, the call will say so.
  hub.connect().catch((error: unknown) => report(error instanceof Error ? error.message : String(error)));

  await Promise.race([transport.ended, options.signalled]);
  gone.abort();
  await within(lastAnswersMs, Promise.race([evidence.whenIdle(), transport.broken, options.signalled]));
  await within(lastAnswersHurriedMs, Promise.race([evidence.whenIdle(), transport.broken]));
  await settleLast(transport, evidence);
  await serving.close();
  await within(lastSettlementsMs, settlements.done());
  closePost();
}

function buildServer(ports: ForwardPorts, { tools, version }: BridgeOptions): Server {
  const server = new Server({ name: 'coterie', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler('tools/list', () => ({ tools: listTools(tools) }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    return forwardToolCall(ports, {
      requestId: context.mcpReq.id,
      name: params.name,
      arguments: params.arguments,
      clientName: clientNameOf(server, context),
      cancelled: context.mcpReq.signal,
      progress: progressOf(context),
    });
  });
  return server;
}

/** The 2026 era names the client in every request, the 2025 era once, when it connects. */
function clientNameOf(server: Server, { mcpReq }: ServerContext): string | undefined {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const client = envelope[CLIENT_INFO_META_KEY];
  if (typeof client === 'object' && client !== null && 'name' in client) return String(client.name);
  return server.getClientVersion()?.name;
}

function progressOf({ mcpReq }: ServerContext): ((message: string) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    // A client that cannot be told is noticed elsewhere.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

/** After the end of input only writing tells a client that closed from one that died. */
async function settleLast(transport: StdioTransport, evidence: ReplyEvidence): Promise<void> {
  if (!evidence.hasDoubts) return;
  await sleep(probeAfterMs);
  evidence.settle((await transport.probe()) ? 'arrived' : 'lost');
}

async function within(ms: number, done: Promise<void>): Promise<void> {
  const late = new AbortController();
  await Promise.race([done, sleep(ms, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
}
