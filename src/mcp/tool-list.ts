// tools/list: the operations as MCP tools, filtered by what the connection requested.
import type { Tool } from '@modelcontextprotocol/server';
import { inputSchemaOf } from '../contract/input-schema.js';
import type { Operation } from '../contract/operation.js';
import { operationList } from '../contract/operations/index.js';

const tools = new Map(operationList.map((operation) => [operation.name, toTool(operation)]));

/** `requested` is the `tools` query: null for the default profile, `all`, or names. Unlisted tools can still be called. */
export function listTools(requested: string | null): Tool[] {
  const names = requested === null ? undefined : new Set(requested.split(',').map((name) => name.trim()));
  const isListed = ({ name, inDefaultProfile }: Operation) =>
    names === undefined ? inDefaultProfile : names.has('all') || names.has(name);
  return operationList.filter(isListed).flatMap(({ name }) => tools.get(name) ?? []);
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
  };
}
