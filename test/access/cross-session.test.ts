// Every id of one session, in every field of every operation of another: answered exactly like an id of nothing, and
// nothing of the first session is shown or changed.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../dist/contract/operation.js';
import { operationList } from '../../dist/contract/operations/index.js';
import { exampleOf } from '../../dist/http/openapi/examples.js';
import { makeKey } from '../support/keys.js';
import { startedBefore, useHub } from '../support/use-hub.js';
import { ask, askOperation, bearer, type Answered, type Question } from './ask.js';
import { fillSession, lastChanged, marker, type Ask, type KnownId } from './filled-session.js';
import { longLeases, startKeyedHub } from './key-states.js';
import { dumpOf } from './store-rows.js';

const alpha = 'alpha';
const beta = 'beta';

interface Side {
  url: string;
  data: string;
  /** The headers of an administrator of the session. */
  headersOf(session: string, agent: string): Promise<NonNullable<Question['headers']>>;
  ids: KnownId[];
}

const open = useHub({ args: longLeases });
const keyed = startedBefore(startKeyedHub);

const openSide = (): Side => ({
  url: open.url,
  data: open.data,
  headersOf: (session, agent) =>
    Promise.resolve([['coterie-session', session] as const, ['coterie-agent', agent] as const]),
  ids: [],
});

function keyedSide(): Side {
  const ids: KnownId[] = [{ kind: 'session', id: alpha, ghost: lastChanged(alpha) }];
  return {
    url: keyed.url,
    data: keyed.data,
    async headersOf(session, agent) {
      const capabilities = ['send' as const, 'read' as const, 'signal' as const, 'admin' as const];
      const key = await makeKey(keyed.store, { session, agent, capabilities });
      if (session === alpha) ids.push({ kind: 'key', id: key.id, ghost: lastChanged(key.id) });
      return [bearer(key.text)];
    },
    ids,
  };
}

/** What reads comes first, while the session is still small; what makes names in it comes last. */
const turns = [
  /^(?!(remove|close|revoke|rotate|set_group|register|create|import))/,
  /^(remove|close|revoke|rotate)/,
  /./,
];
const turnOf = ({ name, effect }: Operation) => (effect === 'reads' ? -1 : turns.findIndex((turn) => turn.test(name)));
const ordered = operationList.toSorted((a, b) => turnOf(a) - turnOf(b));

/** Fields that take a text: where an id can be given. */
function textFields({ input }: Operation): { field: string; isList: boolean }[] {
  return Object.entries(input.shape).flatMap(([field, schema]) => {
    const form = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' });
    const forms = [form, ...((form.anyOf ?? []) as (typeof form)[])];
    const takesText = forms.some(({ type, enum: values }) => type === 'string' && values === undefined);
    const item = form.items as typeof form | undefined;
    const takesList = form.type === 'array' && item?.type === 'string' && item.enum === undefined;
    return takesText || takesList ? [{ field, isList: takesList }] : [];
  });
}

const freeText =
  /^(content|initialMessage|title|summary|reason|description|agentName|capabilit|label|context|text|application|lines)/;

/** A free text is kept as it is: one id in it is enough. All cursors look alike where none is asked for. */
function idsFor(field: string, ids: readonly KnownId[]): readonly KnownId[] {
  if (freeText.test(field)) return ids.slice(0, 1);
  if (/^(cursor|after|before)$/.test(field)) return ids;
  const [aCursor] = ids.filter(({ kind }) => kind.startsWith('cursor of '));
  return ids.filter((known) => known === aCursor || !known.kind.startsWith('cursor of '));
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The example, with what there is in the session where the example has ids of nothing. */
function validInput(operation: Operation, own: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(exampleOf(operation) ?? {}).map(([name, value]) => [camelCase(name), value] as const);
  const input = Object.fromEntries(fields.map(([name, value]) => [name, own[name] ?? value]));
  const atOnce = Object.entries({ timeoutMs: 0, waitForResponses: 0 }).filter(
    ([name]) => name in operation.input.shape,
  );
  // A second call with the same name would be refused for it.
  if (operation.name === 'create_session') delete input['sessionId'];
  return { ...input, ...Object.fromEntries(atOnce) };
}

/** Names of sessions are the hub's own: one that is taken cannot be given again, and cannot but say so. */
const namesSession = new Set(['create_session sessionId', 'import_session sessionId']);

/** Names nothing: it is what another server asks for. */
const isSecret = new Set(['token', 'secret']);

/** A message to an unknown target is stored, and the refusal has its id. */
const keptMessage = /(?<="code":"TARGET_UNKNOWN".*)"messageId":"\w+"/;

/** Refusals byte for byte but for the id; of results not the numbers that every call makes anew. */
function comparable({ status, text }: Answered, { kind, id, ghost }: KnownId): string {
  const without = text.replaceAll(ghost, '<id>').replaceAll(id, '<id>');
  if (status >= 400) return `${status} ${without.replace(keptMessage, '')}`;
  // A cursor of a list is a position, which is of any session that it is given to: what it shows is that session's own.
  if (kind.startsWith('cursor of '))
    return [marker, alpha].some((word) => without.includes(word)) ? without : `${status}`;
  const plain = without.replace(
    /"m[a-k]\d+[0-9a-z]{3}"|"t\d{12}"|"(secret|fragment|keyId|id|cursor|sessionId)":"[^"]*"/g,
    '"<made>"',
  );
  // The first of two calls may have done what the second asks for.
  return `${status} ${plain.replace(/\d+/g, '0').replace('"already_', '"')}`;
}

describe.each([
  ['in open mode', openSide],
  ['with keys', keyedSide],
])('%s', (_, sideOf) => {
  it('an id of another session is like one of nothing', { timeout: 120_000 }, async () => {
    const side = sideOf();
    const { url, data } = side;
    const asking = async (session: string, agent: string): Promise<Ask> => {
      const headers = await side.headersOf(session, agent);
      return (operation, input) => askOperation(url, operation, input, headers);
    };
    const ann = await asking(alpha, `ann-${alpha}`);
    const ids = await fillSession(alpha, { ann, ben: await asking(alpha, `ben-${alpha}`) });
    ids.push(...side.ids);
    expect(new Set(ids.map(({ kind }) => kind)).size).toBeGreaterThan(14);

    const bobHeaders = await side.headersOf(beta, 'bob');
    const bob: Ask = (operation, input) => askOperation(url, operation, input, bobHeaders);
    const cas = await asking(beta, 'cas');
    await bob('register_agent', {});
    await cas('register_agent', {});
    const { body: thread } = await bob('create_thread', {
      title: 'ours',
      participants: ['cas'],
      initial_message: 'hello',
    });
    const { body: sent } = await bob('send_message', { threadId: thread.threadId, message: 'ours' });
    const own = {
      threadId: thread.threadId,
      messageId: sent.messageId,
      replyTo: sent.messageId,
      ids: [sent.messageId],
      participantId: 'cas',
      participants: ['cas'],
      from: 'bob',
      source: 'bob',
      target: 'cas',
      agentIds: ['cas'],
      agentId: 'cas',
    };

    const before = await dumpOf(data, alpha);
    const differences: string[] = [];
    let probes = 0;
    for (const operation of ordered) {
      for (const { field, isList } of textFields(operation)) {
        if (namesSession.has(`${operation.name} ${field}`) || isSecret.has(field)) continue;
        const probe = async (known: KnownId) => {
          const { kind, id, ghost } = known;
          const input = (value: string) => ({ ...validInput(operation, own), [field]: isList ? [value] : value });
          const foreign = await bob(operation.name, input(id));
          const nothing = await bob(operation.name, input(ghost));
          probes += 1;
          const [one, other] = [comparable(foreign, known), comparable(nothing, known)];
          const where = `${operation.name} ${field} = ${kind} ${id}`;
          if (one !== other) differences.push(`${where}\n  ${one.slice(0, 400)}\n  ${other.slice(0, 400)}`);
          if (one.includes(marker)) differences.push(`${where} shows ${one.slice(0, 400)}`);
        };
        const chosen = idsFor(field, ids);
        if (operation.effect === 'reads') await Promise.all(chosen.map(probe));
        else for (const known of chosen) await probe(known);
      }
    }
    expect(differences.slice(0, 10)).toEqual([]);
    expect(probes).toBeGreaterThan(600);
    for (const position of ['1', '31', '9999']) {
      const { text } = await ask(url, { path: '/v1/events', headers: [...bobHeaders, ['last-event-id', position]] });
      expect(text).toMatch(/^retry: 1000\nid: \d+\nevent: hello\ndata: {"sessionId":"beta"/);
      expect(text).not.toContain(alpha);
    }
    expect(await dumpOf(data, alpha)).toEqual(before);
  });
});
