// tools/list: the operations as MCP tools, those that the connection shows.
import type { Tool } from '@modelcontextprotocol/server';
import { inputSchemaOf } from '../contract/input/input-schema.js';
import type { Operation } from '../contract/operation.js';
import { operationList } from '../contract/operations/index.js';
import type { ShownTools } from '../contract/shown-tools.js';

/** Clients that load tools only when searched for load these at once. */
const alwaysLoaded = new Set(['list_agents', 'send_message', 'wait_for_mentions', 'get_messages']);

const tools = new Map(operationList.map((operation) => [operation.name, toTool(operation)]));

/** Unlisted tools can still be called. */
export function listTools({ names }: ShownTools): Tool[] {
  return [...names].flatMap((name) => tools.get(name) ?? []);
}

function toTool(operation: Operation): Tool {
  const { properties, required } = inputSchemaOf(operation);
  return {
    name: operation.name,
    description: operation.summary,
    inputSchema: { type: 'object', properties: { ...properties }, ...(required === undefined ? {} : { required }) },
    // Values that MCP assumes by default are left out.
    annotations: {
      ...(operation.effect === 'reads' ? { readOnlyHint: true } : {}),
      ...(operation.effect === 'changes' ? { destructiveHint: false } : {}),
      openWorldHint: false,
    },
    ...(alwaysLoaded.has(operation.name) ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  };
}
