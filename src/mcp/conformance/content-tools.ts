// Tools that answer immediately, each with a different kind of content.
import type { ContentBlock, Tool } from '@modelcontextprotocol/server';
import { describeTool, textAnswer, type FixtureTool } from './fixture-tool.js';
import { pngBase64, wavBase64 } from './samples.js';

const image: ContentBlock = { type: 'image', data: pngBase64, mimeType: 'image/png' };
const audio: ContentBlock = { type: 'audio', data: wavBase64, mimeType: 'audio/wav' };

function embed(uri: string, mimeType: string, text: string): ContentBlock {
  return { type: 'resource', resource: { uri, mimeType, text } };
}

const contentByTool: Readonly<Record<string, ContentBlock[]>> = {
  test_image_content: [image],
  test_audio_content: [audio],
  test_embedded_resource: [embed('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    { type: 'text', text: 'Multiple content types test:' },
    image,
    embed('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
  ],
};

/** Every keyword must reach the client unchanged. */
const schema2020: Tool = {
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};

export const contentTools: readonly FixtureTool[] = [
  ...Object.entries(contentByTool).map(([name, content]) => ({
    tool: describeTool(name, `Answers with ${content.map(({ type }) => type).join(', ')}.`),
    call: () => ({ content }),
  })),
  { tool: schema2020, call: () => textAnswer('Called.') },
];
