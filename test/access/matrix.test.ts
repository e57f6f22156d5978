// The authorization matrix: every operation and every route, in every state of a key, at both doors. An operation or a
// route without a row in matrix-rows.ts fails it.
import { describe, expect, it } from 'vitest';
import { operationList } from '../../dist/contract/operations/index.js';
import { exampleOf } from '../../dist/http/openapi/examples.js';
import { servedPaths } from '../../dist/http/server.js';
import type { Operation } from '../../dist/contract/operation.js';
import { connectMcp } from '../support/mcp-clients.js';
import { startedBefore } from '../support/use-hub.js';
import { world } from '../support/world.js';
import { ask, askOperation, askTool, bearer, type Answered, type Question } from './ask.js';
import { startKeyedHub, type KeyName, type RefusedState } from './key-states.js';
import { operationRows, routeRows, type OperationRow } from './matrix-rows.js';

const hub = startedBefore(startKeyedHub);

const doors = [
  ['HTTP', askOperation],
  ['MCP', askTool],
] as const;

/** Valid, and without a wait. */
function inputOf(operation: Operation): Record<string, unknown> {
  const input = exampleOf(operation) ?? {};
  const waits = Object.keys(input).filter((name) => /^(timeout|waitMs)/.test(name));
  return { ...input, ...Object.fromEntries(waits.map((name) => [name, 0])) };
}

function expectKeyRefused({ status, headers, body, text }: Answered, { state, code, reason }: RefusedState): void {
  expect({ state, status, code: body?.error?.code, reason: body?.error?.details?.reason }).toEqual({
    state,
    status: 401,
    code,
    reason,
  });
  const { message, hint } = body.error;
  expect(headers['www-authenticate']).toBe(`Bearer error="invalid_token", error_description="${message} ${hint}"`);
  expect(hub.secrets.filter((secret) => text.includes(secret))).toEqual([]);
}

interface Outcome {
  code: string;
  details: Record<string, unknown>;
}

/** The refusal, or `ok`. Over MCP it is a tool's error, never a status that opens a login dialog. */
function outcomeOf({ status, body }: Answered, door: string): Outcome {
  if (door === 'HTTP') return body?.error ?? { code: 'ok', details: {} };
  expect(status).toBe(200);
  if (body.result.isError !== true) return { code: 'ok', details: {} };
  const error = body.result._meta['coterie/error'];
  expect(body.result.content[0].text).toMatch(new RegExp(`^${error.code}: `));
  return error;
}

const refusals = ['KEY_REQUIRED', 'KEY_INVALID', 'IDENTITY_REQUIRED', 'IDENTITY_MISMATCH'];

/** Past authorization. What the operation itself says to its example is its own matter. */
function expectAllowed(answer: Answered, door: string): void {
  const { code, details } = outcomeOf(answer, door);
  expect(refusals).not.toContain(code);
  if (code === 'FORBIDDEN') expect(details).not.toHaveProperty('needs');
}

function mayCall(row: OperationRow, key: KeyName): boolean {
  if (key === 'observer') return row.isForObservers === true;
  if (key === 'admin') return true;
  const holds: Record<typeof row.needs, KeyName[]> = {
    send: ['sender', 'noRead', 'noAdmin'],
    read: ['reader', 'noSend', 'noAdmin'],
    signal: ['noRead', 'noSend', 'noAdmin'],
    admin: [],
  };
  return holds[row.needs].includes(key);
}

const keyNames: KeyName[] = ['sender', 'reader', 'noSend', 'noRead', 'noAdmin', 'observer', 'admin'];

/** Hubs of one database decide by the same code: there a sample shows that they know the same keys. */
const sampled = operationList.filter((_, index) => world !== 'three-hubs' || index % 5 === 1);

describe.each(sampled.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const row = operationRows[name] ?? { needs: 'admin' };
  const input = inputOf(operation);

  it('has a row, which says what the contract says', () => {
    expect(operationRows).toHaveProperty(name);
    expect({ access: operation.access, forObservers: operation.forObservers }).toEqual({
      access: row.needs,
      forObservers: row.isForObservers,
    });
  });

  describe.each(doors)('over %s', (door, askDoor) => {
    it('is refused without a key that works', async () => {
      for (const refused of hub.refused) {
        expectKeyRefused(await askDoor(hub.url, name, input, refused.headers), refused);
      }
    });

    it('is refused to a key that names another agent or session', async () => {
      const key = bearer(hub.keys.admin);
      const named: [Record<string, unknown>, Question['headers']][] = [
        [{ ...input, senderId: 'another' }, [key]],
        [input, [key, ['coterie-agent', 'another']]],
        [input, [key, ['coterie-session', 'another']]],
        [{ ...input, senderId: 'another' }, [bearer(hub.keys.observer)]],
      ];
      for (const [given, headers] of named) {
        const answer = await askDoor(hub.url, name, given, headers);
        if (door === 'HTTP') expect(answer.status).toBe(403);
        expect(outcomeOf(answer, door)).toMatchObject({ code: 'IDENTITY_MISMATCH' });
      }
    });

    it('is for who holds its capability', async () => {
      for (const key of keyNames) {
        const answer = await askDoor(hub.url, name, input, [bearer(hub.keys[key])]);
        if (mayCall(row, key)) expectAllowed(answer, door);
        else {
          if (door === 'HTTP') expect(answer.status).toBe(403);
          const details = { operation: name, needs: row.needs };
          expect({ key, ...outcomeOf(answer, door) }).toMatchObject({ key, code: 'FORBIDDEN', details });
        }
      }
    });
  });
});

describe('tools/list', () => {
  it.each(keyNames)('shows %s what it may call, in the contract’s order', async (key) => {
    const client = await connectMcp('v2 2026', `${hub.url}/mcp?tools=all`, { key: hub.keys[key] });
    const shown = (await client.tools()).map(({ name }) => name);
    await client.close();
    const all = operationList.map(({ name }) => name);
    expect(shown).toEqual(all.filter((name) => mayCall(operationRows[name] ?? { needs: 'admin' }, key)));
  });
});

describe('routes', () => {
  it('have a row each', () => {
    expect(Object.keys(routeRows)).toEqual(expect.arrayContaining([...servedPaths]));
  });

  it.each(Object.entries(routeRows))('%s', async (path, { method, isPublic, status }) => {
    const headers: [string, string][] = [['accept', 'application/json, text/event-stream']];
    const asked = (more: Question['headers'] = []) => ask(hub.url, { method, path, headers: [...headers, ...more] });
    for (const refused of hub.refused) {
      const answer = await asked(refused.headers);
      if (isPublic !== true) expectKeyRefused(answer, refused);
      else
        expect({ state: refused.state, status: answer.status }).toEqual({ state: refused.state, status: status.admin });
    }
    for (const key of ['reader', 'sender', 'observer', 'admin'] as const) {
      const answer = await asked([bearer(hub.keys[key])]);
      expect({ key, status: answer.status }).toEqual({ key, status: status[key] });
      expect(hub.secrets.filter((secret) => answer.text.includes(secret))).toEqual([]);
    }
  });

  it('ask for a key before they look at the method', async () => {
    const [refused] = hub.refused;
    if (refused === undefined) throw new Error('there is a state without a key');
    for (const path of ['/v1/events', '/v1/openapi.json', '/metrics', '/v1/send_message', '/nothing']) {
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        expectKeyRefused(await ask(hub.url, { method, path }), refused);
      }
    }
  });
});
