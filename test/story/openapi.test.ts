// GET /v1/openapi.json: a program can be written from it alone.
import { beforeAll, describe, expect, it } from 'vitest';
import { idPattern } from '../../dist/contract/ids.js';
import { operationList } from '../../dist/contract/index.js';
import { limits } from '../../dist/contract/limits.js';
import { post } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

interface Schema {
  $ref?: string;
  type?: string;
  allOf?: Schema[];
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
}

interface Media {
  schema: Schema;
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
    expect(text.length).toBeLessThan(1_750 * Object.keys(api.paths).length);
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
    const [result, shared] = responses['200']?.content['application/json']?.schema.allOf ?? [];
    expect(result?.$ref ?? result?.type).toMatch(/^object$|^#\/components\/schemas\/\w+$/);
    expect(shared).toEqual({ $ref: '#/components/schemas/Answer' });
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

  it('has the defaults, and only values that are not always refused', () => {
    expect(inputOf('send_message')?.schema.properties).toMatchObject({
      priority: { enum: ['low', 'normal', 'high'], default: 'normal' },
      action: { enum: ['interrupt', 'queue'], default: 'queue' },
      role: { enum: ['USER', 'ASSISTANT', 'TOOL'] },
    });
  });

  /** The names of all fields that a result may have, those of its parts included. */
  function fieldsOf({ $ref, allOf = [], properties = {} }: Partial<Schema>): string[] {
    const meant = $ref === undefined ? [] : [api.components.schemas[$ref.replace('#/components/schemas/', '')]];
    return [...Object.keys(properties), ...[...allOf, ...meant].flatMap(fieldsOf)];
  }

  it('has every field of the results', async () => {
    const session = 'results';
    const seen = new Map<string, string[]>();
    const call = async (agent: string, name: string, input: Record<string, unknown>) => {
      const { status, body } = await post(hub.url, name, input, { agent, session });
      expect(status, JSON.stringify(body)).toBe(200);
      seen.set(name, [...(seen.get(name) ?? []), ...Object.keys(body)]);
      return body;
    };
    for (const agent of ['ann', 'ben']) await call(agent, 'register_agent', { capabilities: ['review'] });
    const { threadId } = await call('ann', 'create_thread', { title: 'T', participants: ['ben'], message: 'Hi @ben' });
    const { messageId } = await call('ann', 'send_message', { threadId, content: '@ben @bem look', mentions: ['cyn'] });
    await call('ann', 'send_message', { target: 'all', content: 'all of you' });
    for (const name of ['list_agents', 'list_threads', 'list_groups', 'get_notify_prefs', 'get_notify_templates'])
      await call('ben', name, {});
    for (const name of ['get_thread', 'join_thread', 'close_thread', 'reopen_thread', 'leave_thread'])
      await call('ben', name, { threadId });
    await call('ben', 'wait_for_mentions', { timeoutMs: 0, limit: 1 });
    await call('ben', 'get_messages', { limit: 1 });
    await call('ben', 'ack_messages', { ids: [messageId] });
    for (const name of ['get_sent_messages', 'get_dead_letters']) await call('ann', name, {});
    await call('ann', 'query_message_history', { threadId });
    await call('ann', 'search_messages', { query: 'look' });
    await call('ann', 'get_receipts', { messageId });
    const asked = { title: 'C', participants: ['ben'], message: 'Who?', timeoutMs: 0 };
    const { body } = await post(hub.url, 'create_critical_thread', asked, { agent: 'ann', session });
    const critical = { threadId: body.error.details.threadId };
    await call('ben', 'send_message', { ...critical, content: 'Me' });
    await call('ann', 'wait_for_responses', { ...critical, timeoutMs: 0 });
    await call('ann', 'wait_for_agents', { agentIds: ['ben', 'cyn'], timeoutMs: 0 });
    await call('ann', 'set_group', { name: 'team', members: ['ann', 'ben'] });
    await call('ann', 'send_message', { target: 'team', content: 'all of you' });
    await call('ann', 'remove_group', { name: 'team' });
    await call('ann', 'remove_agent', { agentId: 'ben' });
    for (const [name, fields] of seen) {
      const known = fieldsOf(described(name).responses['200']?.content['application/json']?.schema ?? {});
      expect(known, name).toEqual(expect.arrayContaining(fields));
    }
    expect(seen.get('send_message')).toEqual(expect.arrayContaining(['sender', 'mentions']));
    expect(seen.get('list_agents')).toContain('unread');
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
