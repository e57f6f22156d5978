// An outcome as an MCP tool result: text and structure say the same; an error's text begins with its code.
import type { HubError } from '../contract/errors.js';
import type { Answer } from '../dispatch/call.js';

/** Spelled out rather than the SDK's wide type, so that the lane can print it without a second look. */
export interface ToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export function resultOf({ text, output }: Answer): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent: output };
}

/** Never in structuredContent: clients validate that against the tool's output schema. */
export function resultOfError(error: HubError): ToolResult {
  return {
    content: [{ type: 'text', text: `${error.code}: ${error.message}\n${error.hint}` }],
    isError: true,
    _meta: { 'coterie/error': error.toObject() },
  };
}
