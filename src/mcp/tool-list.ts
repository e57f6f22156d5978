// tools/list: the operations as MCP tools, as many as the connection asked for.
import type { Tool } from '@modelcontextprotocol/server';
import { inputSchemaOf } from '../contract/input-schema.js';
import type { Operation } from '../contract/operation.js';
import { operationList } from '../contract/operations/index.js';

const tools = new Map(operationList.map((operation) => [operation.name, toTool(operation)]));

/** `asked` is the `tools` query: nothing for the everyday ones, `all`, or names. Hidden tools can still be called. */
export function listTools(asked: string | null): Tool[] {
  const names = asked === null ? undefined : new Set(asked.split(',').map((name) => name.trim()));
  const isShown = ({ name, inDefaultProfile }: Operation) =>
    names === undefined ? inDefaultProfile : names.has('all') || names.has(name);
  return operationList.filter(isShown).flatMap(({ name }) => tools.get(name) ?? []);
}

function toTool(operation: Operation): Tool {
  const { properties, required } = inputSchemaOf(operation);
  return {
    name: operation.name,
    description: operation.summary,
    inputSchema: { type: 'object', properties: { ...properties }, ...(required === undefined ? {} : { required }) },
    // What MCP assumes anyway goes without saying.
    annotations: {
      ...(operation.effect === 'reads' ? { readOnlyHint: true } : {}),
      ...(operation.effect === 'changes' ? { destructiveHint: false } : {}),
      openWorldHint: false,
    },
  };
}
