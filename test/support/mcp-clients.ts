// The official clients, every generation of them, behind one small face.
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface ToolAnswer {
  text: string;
  /** Every content block as it came. */
  content: Record<string, unknown>[];
  isError: boolean;
  // Tests read the fields they promise; a wrong one fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  structured: any;
  // oxlint-disable-next-line typescript/no-explicit-any
  meta: any;
}

export interface McpClient {
  call(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<ToolAnswer>;
  tools(): Promise<{ name: string; description?: string | undefined }[]>;
  instructions(): string | undefined;
  close(): Promise<void>;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeout?: number;
  onprogress?: (progress?: { message?: string | undefined }) => void;
}

export const generations = ['v1', 'v2 2025', 'v2 2026'] as const;
export type Generation = (typeof generations)[number];

export interface ConnectOptions {
  clientName?: string;
  key?: string;
}

export async function connectMcp(
  generation: Generation,
  address: string,
  given: string | ConnectOptions = {},
): Promise<McpClient> {
  const { clientName = 'test', key }: ConnectOptions = typeof given === 'string' ? { clientName: given } : given;
  const info = { name: clientName, version: '1' };
  const requestInit = key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } };
  if (generation === 'v1') {
    const client = new ClientV1(info);
    await client.connect(new HttpV1(new URL(address), { requestInit }));
    return {
      call: async (name, input, options) =>
        toAnswer(await client.callTool({ name, arguments: input }, undefined, options)),
      tools: async () => (await client.listTools()).tools,
      instructions: () => client.getInstructions(),
      close: () => client.close(),
    };
  }
  const mode = generation === 'v2 2025' ? 'legacy' : 'auto';
  const client = new ClientV2(info, { versionNegotiation: { mode } });
  await client.connect(new HttpV2(new URL(address), { requestInit }));
  return {
    call: async (name, input, options) => toAnswer(await client.callTool({ name, arguments: input }, options)),
    tools: async () => (await client.listTools()).tools,
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

export function toAnswer(result: Record<string, unknown>): ToolAnswer {
  const content = Array.isArray(result['content']) ? result['content'] : [];
  return {
    content,
    text: content.map((block: { text?: string }) => block.text ?? '').join('\n'),
    isError: result['isError'] === true,
    structured: result['structuredContent'],
    meta: result['_meta'],
  };
}
