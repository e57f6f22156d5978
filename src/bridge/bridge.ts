// coterie mcp: an MCP server on stdio that forwards an agent's tool calls to the hub.
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { HubClient } from '../client/hub-client.js';
import type { Sealing } from '../client/sealed/index.js';
import { bridgeIdPrefix } from '../contract/client-headers.js';
import { clientInfoOf } from '../mcp/client-info.js';
import { shownTools, type ShownTools } from '../contract/shown-tools.js';
import type { ResultForm } from '../mcp/client-profiles.js';
import { instructions } from '../mcp/instructions.js';
import { clientNameOf, progressOf } from '../mcp/sdk-request.js';
import { listTools } from '../mcp/tool-list.js';
import { BridgeName, type AutoNaming } from './bridge-name.js';
import { createPost } from './half-close-post.js';
import { HubConnection } from './hub-connection.js';
import { ReplyEvidence } from './reply-evidence.js';
import { Settlements } from './settlements.js';
import { StdioTransport } from './stdio-transport.js';
import { toolsOfKey } from './tools-of-key.js';
import { forwardToolCall, type ForwardPorts } from './forward-tool-call.js';

export interface BridgeKey {
  readonly text: string;
  /** Reads it again; true if it is another one now. */
  renew: () => boolean;
}

export interface BridgeOptions {
  stdin: Readable;
  stdout: Writable;
  /** Resolves when this process receives a termination signal. */
  signalled: Promise<void>;
  locate: (hadHub: boolean) => Promise<string>;
  isServing: () => Promise<boolean>;
  agent: string | undefined;
  /** For `--agent auto`. */
  auto: AutoNaming | undefined;
  session: string | undefined;
  key: BridgeKey | undefined;
  /** `all`, or comma-separated names; null for the default profile. */
  tools: string | null;
  /** Overrides the form that the client's profile has. */
  results: ResultForm | undefined;
  waitMsUnknownClient: number;
  /** The folder whose files may be sent; null for none. */
  filesFolder: string | null;
  resultTokens: number;
  /** Encrypts beside this agent. */
  sealing: (agent: string) => Sealing;
  version: string;
  report: (problem: string) => void;
}

/** A client that closed stdin may still read the answers to its last calls; shorter after a termination signal. */
const lastAnswersMs = 5_000;
const lastAnswersHurriedMs = 500;
/** Time for a broken pipe to be reported after the end of input. */
const probeAfterMs = 20;
/** Time to report the last outcomes to the hub; unreported leases expire. */
const lastSettlementsMs = 1_000;

/** Serves until the client disconnects or the process is signalled. */
export async function runBridge(options: BridgeOptions): Promise<void> {
  const { stdin, stdout, session, key, report } = options;
  const { post, close: closePost } = createPost();
  const clientId = `${bridgeIdPrefix}${randomUUID()}`;
  const name = new BridgeName({ ...options, hasKey: key !== undefined });
  let title: string | undefined;
  const clientTitle = () => title;
  const hub = new HubConnection({
    locate: options.locate,
    isServing: options.isServing,
    renewKey: () => key?.renew() ?? false,
    clientAt(url) {
      const { current: agent } = name;
      const identity = { ...(agent === undefined ? {} : { agent }), ...(session === undefined ? {} : { session }) };
      const { resultTokens } = options;
      return new HubClient({ url, clientId, clientTitle, post, resultTokens, key: key?.text, ...identity });
    },
  });
  const evidence = new ReplyEvidence();
  const settlements = new Settlements(hub, report);
  const gone = new AbortController();
  const introduce = (agent: string | undefined) => {
    // Any call makes the name known; this one takes nothing and costs little. If it fails, so will the client's first.
    const call = { operation: 'get_notify_prefs', input: {}, mayRepeat: true, isUnprompted: true };
    if (agent !== undefined) hub.request(call).catch(() => {});
  };
  const transport = new StdioTransport({
    stdin,
    stdout,
    evidence,
    received(message) {
      const client = clientInfoOf(message);
      if (client === undefined || title !== undefined) return;
      // A client may start a bridge only to ask what it serves: that needs no name of its own.
      if (name.current === undefined && isDiscovery(message)) return;
      title = client.title ?? client.name;
      name.whenKnown(hub, client.name).then(introduce, () => {});
    },
  });
  const ports: ForwardPorts = {
    hub,
    settlements,
    evidence,
    agentFor: (clientName) => name.whenKnown(hub, clientName),
    tools: shownTools(options.tools, 'Start coterie mcp with --tools all to list every tool.'),
    results: options.results,
    waitMsUnknownClient: options.waitMsUnknownClient,
    filesFolder: options.filesFolder,
    sealingFor: sealingOnce(options.sealing),
    newKey: () => `bridge-${randomUUID()}`,
    gone: gone.signal,
  };
  const listed = async () => {
    if (key === undefined) return ports.tools;
    return toolsOfKey(
      ports.tools,
      hub.connect().then(({ url }) => ({ url, key: key.text, post })),
    );
  };
  const serving = serveStdio(() => buildServer(ports, { ...options, listed }), {
    transport,
    onerror: (error) => report(error.message),
  });
  // Connects before the first call arrives, and nothing waits for it: the hub may have to be started first. If this
  // fails, the call reports the error.
  hub.connect().then(
    () => introduce(name.current),
    (error: unknown) => report(error instanceof Error ? error.message : String(error)),
  );

  await Promise.race([transport.ended, options.signalled]);
  gone.abort();
  await within(lastAnswersMs, Promise.race([evidence.whenIdle(), transport.broken, options.signalled]));
  await within(lastAnswersHurriedMs, Promise.race([evidence.whenIdle(), transport.broken]));
  await settleLast(transport, evidence);
  await serving.close();
  await within(lastSettlementsMs, settlements.done());
  closePost();
}

/** The name of the agent is known with its first call. */
function sealingOnce(make: BridgeOptions['sealing']): ForwardPorts['sealingFor'] {
  const made = new Map<string, Sealing>();
  return (agent) => {
    if (agent === undefined) return undefined;
    const found = made.get(agent) ?? make(agent);
    made.set(agent, found);
    return found;
  };
}

function isDiscovery(message: object): boolean {
  return 'method' in message && message.method === 'server/discover';
}

function buildServer(
  ports: ForwardPorts,
  { version, listed }: Pick<BridgeOptions, 'version'> & { listed: () => Promise<ShownTools> },
): Server {
  const server = new Server({ name: 'coterie', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler('tools/list', async () => ({ tools: listTools(await listed()) }));
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

/** After the end of input, only a write shows whether the client closed its pipe or died. */
async function settleLast(transport: StdioTransport, evidence: ReplyEvidence): Promise<void> {
  if (!evidence.hasDoubts) return;
  await sleep(probeAfterMs);
  evidence.settle((await transport.probe()) ? 'arrived' : 'lost');
}

async function within(ms: number, done: Promise<void>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([done, sleep(ms, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}
