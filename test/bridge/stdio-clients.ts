// The official clients on stdio, every generation of them, with a bridge as their child process.
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { cliPath } from '../support/hub-process.js';
import { anyPort } from './any-port.js';
import { toAnswer, type CallOptions, type Generation, type McpClient } from '../support/mcp-clients.js';

export interface StdioClient extends McpClient {
  /** Of the bridge. */
  pid: number;
  /** Of the protocol. */
  revision: string | undefined;
}

/**
 * `args` are those of `coterie mcp`; `place` is where the client runs, and its bridge with it. Closed after the test,
 * before its hub: a bridge would start another.
 */
export async function connectStdio(
  generation: Generation,
  args: string[],
  clientName = 'test',
  place: { cwd?: string; env?: Record<string, string> } = {},
): Promise<StdioClient> {
  const info = { name: clientName, version: '1' };
  const env = { ...anyPort, ...place.env };
  const server = {
    command: process.execPath,
    args: [cliPath, 'mcp', ...args],
    stderr: 'ignore' as const,
    ...place,
    env,
  };
  if (generation === 'v1') {
    const client = new ClientV1(info);
    const transport = new StdioV1(server);
    cleanUpAfter(() => client.close());
    await client.connect(transport);
    const call = (name: string, input: Record<string, unknown>, options?: CallOptions) =>
      client.callTool({ name, arguments: input }, undefined, options);
    return face(client, call, { pid: transport.pid, revision: LATEST_PROTOCOL_VERSION });
  }
  const mode = generation === 'v2 2025' ? 'legacy' : 'auto';
  const client = new ClientV2(info, { versionNegotiation: { mode } });
  const transport = new StdioV2(server);
  cleanUpAfter(() => client.close());
  await client.connect(transport);
  const call = (name: string, input: Record<string, unknown>, options?: CallOptions) =>
    client.callTool({ name, arguments: input }, options);
  return face(client, call, { pid: transport.pid, revision: client.getNegotiatedProtocolVersion() });
}

function face(
  client: ClientV1 | ClientV2,
  call: (name: string, input: Record<string, unknown>, options?: CallOptions) => Promise<Record<string, unknown>>,
  { pid, revision }: { pid: number | null; revision: string | undefined },
): StdioClient {
  return {
    pid: pid ?? 0,
    revision,
    call: async (name, input, options) => toAnswer(await call(name, input, options)),
    tools: async () => (await client.listTools()).tools,
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}
