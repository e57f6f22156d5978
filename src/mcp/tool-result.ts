// An answer or error as an MCP tool result. Text and structured content agree; an error's text begins with its code.
import type { HubError } from '../contract/errors.js';
import type { ShownMedia } from '../contract/shown-media.js';
import type { Answer } from '../dispatch/call.js';

interface TextContent {
  type: 'text';
  text: string;
}

interface MediaContent {
  type: 'image' | 'audio';
  data: string;
  mimeType: string;
}

/** Narrower than the SDK's type, so that the fast path can serialize it without further checks. */
export interface ToolResult {
  [key: string]: unknown;
  content: (TextContent | MediaContent)[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export function resultOf({ text, output, media }: Pick<Answer, 'text' | 'output' | 'media'>): ToolResult {
  return { content: [{ type: 'text', text }, ...media.flatMap(contentOf)], structuredContent: output };
}

/** The label tells the model which message the media belongs to. */
function contentOf({ label, type, data, mimeType }: ShownMedia[number]): (TextContent | MediaContent)[] {
  return [
    { type: 'text', text: label },
    { type, data, mimeType },
  ];
}

/** Without structuredContent: clients validate that against the tool's output schema. */
export function resultOfError(error: HubError): ToolResult {
  return {
    content: [{ type: 'text', text: `${error.code}: ${error.message}\n${error.hint}` }],
    isError: true,
    _meta: { 'coterie/error': error.toObject() },
  };
}
