// An answer or error as an MCP tool result, in the form that the client needs. An error's text begins with its code.
import type { HubError } from '../contract/errors.js';
import type { ShownMedia } from '../contract/shown-media.js';
import type { Answer } from '../dispatch/call.js';
import type { ResultForm } from './client-profiles.js';
import { inLine } from '../contract/text/in-line.js';

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

export function resultOf(
  { text, output, media, sealed }: Pick<Answer, 'text' | 'output' | 'media' | 'sealed'>,
  form: ResultForm,
): ToolResult {
  const content = [{ type: 'text' as const, text }, ...media.flatMap(contentOf)];
  const _meta = sealed === undefined ? {} : { _meta: { 'coterie/sealed': sealed } };
  return form === 'text' ? { content, ..._meta } : { content, structuredContent: output, ..._meta };
}

/** The label tells the model which message the media belongs to. */
function contentOf({ label, type, data, mimeType }: ShownMedia[number]): (TextContent | MediaContent)[] {
  return [
    { type: 'text', text: inLine(label) },
    { type, data, mimeType },
  ];
}

/** Without structuredContent: clients validate that against the tool's output schema. */
export function resultOfError(error: HubError, form: ResultForm): ToolResult {
  return {
    content: [{ type: 'text', text: `${error.code}: ${inLine(error.message)}\n${inLine(error.hint)}` }],
    isError: true,
    ...(form === 'text' ? {} : { _meta: { 'coterie/error': error.toObject() } }),
  };
}
