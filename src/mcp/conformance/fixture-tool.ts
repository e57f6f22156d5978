// A fixture: the tool as listed, and the function that answers its calls.
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  ServerContext,
  ServerNotifier,
  Tool,
} from '@modelcontextprotocol/server';

export interface FixtureCall {
  input: Record<string, unknown>;
  request: ServerContext['mcpReq'];
  /** The client's declared capabilities. */
  client: ClientCapabilities;
  /** Notifies open subscriptions that a list has changed. */
  notify: ServerNotifier;
}

export type FixtureAnswer = CallToolResult | InputRequiredResult;

export interface FixtureTool {
  tool: Tool;
  call(call: FixtureCall): FixtureAnswer | Promise<FixtureAnswer>;
}

export function describeTool(name: string, description: string, required: readonly string[] = []): Tool {
  const properties = Object.fromEntries(required.map((field) => [field, { type: 'string' }]));
  return { name, description, inputSchema: { type: 'object', properties, required: [...required] } };
}

export function textAnswer(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}
