// GET /v1/openapi.json: a program can be written from it alone.
import { beforeAll, describe, expect, it } from 'vitest';
import { idPattern } from '../../dist/contract/ids.js';
import { operationList } from '../../dist/contract/index.js';
import { limits } from '../../dist/contract/limits.js';
import { post } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

interface Media {
  schema: { $ref?: string; type?: string; properties: Record<string, Record<string, unknown>>; required?: string[] };
  example?: Record<string, unknown>;
}

interface Described {
  operationId: string;
  summary: string;
  requestBody: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content: Record<string, Media> }>;
}

// The whole document is looked into; a wrong path fails the assertion.
// oxlint-disable-next-line typescript/no-explicit-any
let api: any;
let text = '';

beforeAll(async () => {
  text = await (await fetch(`${hub.url}/v1/openapi.json`)).text();
  api = JSON.parse(text);
});

const described = (name: string): Described => api.paths[`/v1/${name}`].post;
const inputOf = (name: string) => described(name).requestBody.content['application/json'];
const names = operationList.map(({ name }) => name);

describe('the description of the API', () => {
  it('is short: what is shared is said once', () => {
    expect(text.length).toBeLessThan(70_000);
    expect(Object.keys(api.components.schemas)).toEqual(
      expect.arrayContaining(['Message', 'ContentBlock', 'ThreadChange']),
    );
  });

  it('says where the hub is, and how a caller names itself', () => {
    expect(api).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { title: 'Coterie' },
      servers: [{ url: hub.url }],
      security: [{ agent: [] }, { key: [] }, {}],
    });
    expect(api.components.securitySchemes).toMatchObject({
      agent: { type: 'apiKey', in: 'header', name: 'coterie-agent' },
      key: { type: 'http', scheme: 'bearer' },
    });
  });

  it('has every operation and the live feed, and no other path', () => {
    const paths = [...names.map((name) => `/v1/${name}`), '/v1/events'];
    expect(Object.keys(api.paths).toSorted()).toEqual(paths.toSorted());
    const { get } = api.paths['/v1/events'];
    expect(get.responses['200'].content['text/event-stream'].example).toMatch(/^id: 41\nevent: hello\n/);
    const parameters = get.parameters.flatMap(({ name }: { name?: string }) => name ?? []);
    expect(parameters).toEqual(['Last-Event-ID', 'after']);
  });

  it.each(names)('describes %s: its input, an example, its result and its refusals', (name) => {
    const { operationId, summary, requestBody, responses } = described(name);
    expect(operationId).toBe(name);
    expect(summary).not.toBe('');
    const { schema, example } = requestBody.content['application/json'] ?? {};
    expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
    expect(requestBody.required).toBe(schema?.required !== undefined);
    for (const field of schema?.required ?? []) expect(schema?.properties).toHaveProperty(field);
    expect(example).toEqual(expect.any(Object));
    const result = responses['200']?.content['application/json']?.schema;
    expect(result?.$ref ?? result?.type).toMatch(/^object$|^#\/components\/schemas\/\w+$/);
    expect(responses['4XX']).toEqual({ $ref: '#/components/responses/Refused' });
    expect(responses['5XX']).toEqual({ $ref: '#/components/responses/Refused' });
  });

  it('has the patterns and limits that the hub enforces', () => {
    expect(api.components.schemas.Id).toMatchObject({ type: 'string', pattern: idPattern.source });
    expect(inputOf('create_thread')?.schema.properties).toMatchObject({
      title: { type: 'string', maxLength: limits.titleChars, pattern: String.raw`\S` },
      participants: { maxItems: limits.participants, items: { $ref: '#/components/schemas/Id' } },
      creator_id: { $ref: '#/components/schemas/Id' },
    });
    expect(inputOf('send_message')?.schema.properties).toMatchObject({
      content: { $ref: '#/components/schemas/Content' },
      ttl: { minimum: limits.ttlSecondsMin, maximum: limits.ttlSecondsMax },
      payload: { description: `At most ${limits.payloadBytes} bytes` },
    });
    expect(inputOf('wait_for_mentions')?.schema.properties['timeoutMs']).toMatchObject({
      minimum: 0,
      maximum: limits.waitMs,
    });
    expect(api.components.schemas.Error.properties.error.required).toEqual(
      expect.arrayContaining(['code', 'message', 'hint', 'retry', 'details']),
    );
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it('resolves every reference inside the document', () => {
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(references.length).toBeGreaterThan(100);
    for (const path of references) {
      const found = path.split('/').reduce((part: Record<string, never> | undefined, key) => part?.[key], api);
      expect(found, path).toBeDefined();
    }
  });

  it.each(names)('has an example of %s that the hub understands', async (name) => {
    const example = Object.entries(inputOf(name)?.example ?? {});
    const input = Object.fromEntries(example.map(([field, value]) => [field, field.startsWith('timeout') ? 0 : value]));
    const { body } = await post(hub.url, name, input, { agent: 'ann', session: 'examples' });
    expect(['INVALID_INPUT', 'UNKNOWN_FIELD', 'IDENTITY_MISMATCH', 'INTERNAL']).not.toContain(body.error?.code);
  });

  it.each(['list_agents', 'list_threads', 'get_messages'])('is right that %s needs no body', async (name) => {
    expect(described(name).requestBody.required).toBe(false);
    const response = await fetch(`${hub.url}/v1/${name}`, { method: 'POST', headers: { 'coterie-agent': 'ann' } });
    expect(response.status).toBe(200);
  });
});
