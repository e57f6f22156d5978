// The fixture resources: their list, and the contents of each URI.
import type {
  BlobResourceContents,
  Resource,
  ResourceTemplateType,
  TextResourceContents,
} from '@modelcontextprotocol/server';
import { pngBase64 } from './samples.js';

export const resourceList: Resource[] = [
  { uri: 'test://static-text', name: 'Static text', description: 'A constant text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'Static image', description: 'A red pixel.', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'Watched', description: 'To subscribe to.', mimeType: 'text/plain' },
];

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'Data by id',
    description: 'Repeats the id.',
    mimeType: 'application/json',
  },
];

const fixed: Readonly<Record<string, TextResourceContents | BlobResourceContents>> = {
  'test://static-text': {
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { uri: 'test://static-binary', mimeType: 'image/png', blob: pngBase64 },
  'test://watched-resource': { uri: 'test://watched-resource', mimeType: 'text/plain', text: 'Watched content.' },
};

export function findResource(uri: string): TextResourceContents | BlobResourceContents | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return fixed[uri];
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: 'application/json', text };
}
