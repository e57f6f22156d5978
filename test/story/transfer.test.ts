// A session is exported as JSON lines and imported again: everything is there, or nothing.
import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { lineKinds, schemaOf } from '../../dist/contract/transfer/lines.js';
import { configFile } from '../support/config-file.js';
import { call, post } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import {
  comparable,
  exportLines,
  fillSession,
  importLines,
  keyed,
  picture,
  type FullSession,
} from '../support/transfer.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
const session = 'origin';
let full: FullSession;
let lines: string[];

beforeAll(async () => {
  full = await fillSession(hub.url, session);
  lines = await exportLines(hub.url, session);
});

type Fields = Record<string, unknown>;
const parsed = (given: readonly string[]) => given.map((line) => JSON.parse(line) as Fields);
const ofKind = (kind: string) => parsed(lines).filter((line) => line['kind'] === kind);

describe('an export', () => {
  it('has lines of every kind, each as its schema says', () => {
    const body = parsed(lines.slice(1, -1));
    expect(new Set(body.map(({ kind }) => kind))).toEqual(new Set(lineKinds));
    for (const line of body) expect(schemaOf(String(line['kind']))?.safeParse(line).error).toBeUndefined();
    expect(new Set(ofKind('copy').map(({ state }) => state))).toEqual(
      new Set(['pending', 'read', 'expired', 'dead_lettered']),
    );
    expect(ofKind('copy').some(({ digest }) => digest !== undefined)).toBe(true);
  });

  it('begins with a header and ends with what it must contain', () => {
    const all = parsed(lines);
    expect(all[0]).toMatchObject({
      coterie: 'export',
      version: 1,
      sessionId: session,
      lastSeq: ofKind('message').length,
    });
    const chain = lines.slice(0, -1).reduce((before, line) => hash('sha256', before + line, 'hex'), '');
    expect(all.at(-1)).toMatchObject({ kind: 'end', lines: lines.length - 1, sha256: chain });
  });

  it('has an attachment once, however often it was sent', () => {
    expect(ofKind('attachment')).toHaveLength(1);
    expect(ofKind('attachment')[0]).toMatchObject({ data: picture });
    expect(ofKind('message').filter(({ attachments }) => attachments !== undefined)).toHaveLength(2);
  });

  it('has no key, owner or lease', () => {
    expect(lines.join('\n')).not.toMatch(/"(?:owner|leaseToken|leaseUntil|keyId)"/);
  });

  it('of a session that is not there is refused', async () => {
    const { status, body } = await post(hub.url, 'export_session', {}, { session: 'never-was' });
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'SESSION_UNKNOWN' });
  });

  it('comes in pages, which any hub continues', async () => {
    const big = 'x'.repeat(200_000);
    for (let index = 0; index < 12; index += 1) {
      await call(hub.url, 'send_message', { target: 'ben', content: big }, { agent: 'ann', session: 'big' }).catch(
        async () => {
          await call(hub.url, 'register_agent', { agentId: 'ben' }, { session: 'big' });
          await call(hub.url, 'send_message', { target: 'ben', content: big }, { agent: 'ann', session: 'big' });
        },
      );
    }
    const first = await call(hub.url, 'export_session', {}, { session: 'big' });
    expect(first.hasMore).toBe(true);
    expect(first.lines.length).toBeLessThan(1_500_000);
    const all = await exportLines(hub.url, 'big');
    expect((await importLines(hub.url, all, { sessionId: 'big-copy', perPart: 9 })).body).toMatchObject({ done: true });
    expect(comparable(await exportLines(hub.url, 'big-copy'))).toEqual(comparable(all));
    for (const cursor of [first.cursor, 'x', `${first.cursor}x`.slice(4)]) {
      const { body } = await post(hub.url, 'export_session', { cursor }, { session });
      expect(body.error).toMatchObject({
        code: 'INVALID_INPUT',
        message: 'cursor: is not a cursor of export_session.',
      });
    }
  });
});

describe('an import', () => {
  it('is the same session under another name, in any number of parts', async () => {
    for (const perPart of [lines.length, 7, 1]) {
      const sessionId = `copy-${perPart}`;
      const { status, body } = await importLines(hub.url, lines, { sessionId, perPart });
      expect({ status, body }).toMatchObject({ status: 200, body: { done: true, sessionId, lines: lines.length } });
      expect(comparable(await exportLines(hub.url, sessionId))).toEqual(comparable(lines));
    }
  });

  it('keeps message ids, receipts, keys and attachments, and goes on from there', async () => {
    const sessionId = 'goes-on';
    await importLines(hub.url, lines, { sessionId });
    const as = (agent: string, operation: string, input: Fields, at = sessionId) =>
      call(hub.url, operation, input, { agent, session: at });
    for (const { id } of (await as('ann', 'get_sent_messages', { limit: 50 }, session)).messages) {
      const [before, after] = [session, sessionId].map((at) => as('ann', 'get_receipts', { messageId: id }, at));
      expect(lasting(await after)).toEqual(lasting(await before));
    }
    expect(await as('ann', 'send_message', keyed)).toMatchObject({ messageId: full.keyedId, duplicate: true });
    expect(await as('dan', 'get_attachment', { messageId: full.pictureId })).toMatchObject({ data: picture });
    expect(await as('ann', 'list_groups', {})).toEqual(await as('ann', 'list_groups', {}, session));
    expect((await as('ann', 'get_dead_letters', {})).deadLetters.map(lastingLetter)).toEqual(
      (await as('ann', 'get_dead_letters', {}, session)).deadLetters.map(lastingLetter),
    );
    const [doubtful] = (await as('eve', 'get_messages', {})).messages.filter(({ redelivered }: Fields) => redelivered);
    expect(doubtful).toBeDefined();
    const { seq } = await as('ben', 'send_message', { target: 'ann', content: 'After the move' });
    expect(seq ?? ofKind('message').length + 1).toBe(ofKind('message').length + 1);
    const { messages } = await as('ann', 'get_messages', { limit: 100 });
    expect(messages.at(-1).content[0].text).toBe('After the move');
    expect((await as('ann', 'search_messages', { query: 'railway' })).messages).toHaveLength(1);
  });

  it('is refused where the session exists, and changes nothing there', async () => {
    const { status, body } = await importLines(hub.url, lines, { sessionId: session });
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'SESSION_TAKEN' });
    const unseen = (given: string[]) => comparable(given).map((line) => line.replace(/"lastSeenAt":\d+/, ''));
    expect(unseen(await exportLines(hub.url, session))).toEqual(unseen(lines));
  });

  it('takes the name in the file by default', async () => {
    const { body } = await post(hub.url, 'import_session', { lines: lines.join('\n'), done: true });
    expect(body.error).toMatchObject({ code: 'SESSION_TAKEN', details: { sessionId: session } });
  });

  it('is not there before its last part', async () => {
    const first = await call(hub.url, 'import_session', { lines: lines.slice(0, 20).join('\n'), sessionId: 'half' });
    expect(first).toMatchObject({ done: false, lines: 20 });
    const { body } = await post(hub.url, 'export_session', {}, { session: 'half' });
    expect(body.error.code).toBe('SESSION_UNKNOWN');
    const again = { importId: first.importId, part: 2, lines: lines.slice(20).join('\n'), done: true };
    expect((await post(hub.url, 'import_session', again, { session: 'elsewhere' })).body.error).toMatchObject(unknown);
    expect((await post(hub.url, 'import_session', { ...again, importId: 'i-never-was' })).body.error).toMatchObject(
      unknown,
    );
    expect((await post(hub.url, 'import_session', { ...again, part: 3 })).body.error).toMatchObject(unknown);
    expect(await call(hub.url, 'import_session', again)).toMatchObject({ done: true, sessionId: 'half' });
    expect((await post(hub.url, 'import_session', { ...again, part: 3 })).body.error).toMatchObject(unknown);
  });
});

const unknown = {
  code: 'IMPORT_INVALID',
  message: 'importId and part do not continue an import that has begun.',
};

/** The lines with a hash and counts that agree with them. */
function sealed(given: readonly string[]): string[] {
  const body = given.slice(0, -1);
  const counts: Record<string, number> = {};
  for (const { kind } of parsed(body.slice(1))) counts[String(kind)] = (counts[String(kind)] ?? 0) + 1;
  const sha256 = body.reduce((before, line) => hash('sha256', before + line, 'hex'), '');
  return [...body, JSON.stringify({ kind: 'end', lines: body.length, counts, sha256 })];
}

/** The first line of the kind, changed; or left out. */
function changed(kind: string, change: (line: Fields) => Fields | null): string[] {
  const index = lines.findIndex((line) => line.startsWith(`{"kind":"${kind}"`));
  const after = change(JSON.parse(lines[index] ?? '{}') as Fields);
  return sealed([
    ...lines.slice(0, index),
    ...(after === null ? [] : [JSON.stringify(after)]),
    ...lines.slice(index + 1),
  ]);
}

const twice = (kind: string) => {
  const index = lines.findIndex((line) => line.startsWith(`{"kind":"${kind}"`));
  return sealed([...lines.slice(0, index + 1), lines[index] ?? '', ...lines.slice(index + 1)]);
};
const withHeader = (change: Fields) =>
  sealed([JSON.stringify({ ...(JSON.parse(lines[0] ?? '{}') as Fields), ...change }), ...lines.slice(1)]);

describe('a bad file', () => {
  const rows: [name: string, file: () => string[], said: RegExp][] = [
    ['cut in the middle', () => lines.slice(0, 30), /it was cut: it ends after 30 lines/],
    ['cut in a line', () => [...lines.slice(0, 30), (lines[30] ?? '').slice(0, 25)], /Line 31 .* not valid JSON/],
    ['without its last line', () => lines.slice(0, -1), /it was cut/],
    ['empty', () => [''], /it was cut|it is empty/],
    ['made by a newer release', () => withHeader({ version: 2, release: '9.9.9' }), /newer release: Coterie 9\.9\.9/],
    ['of an unknown version', () => withHeader({ version: 0 }), /version 0 is unknown/],
    ['something else', () => ['{"messages":[]}'], /Line 1 .* not the header of an export/],
    ['no object', () => ['[1]'], /Line 1 .* not a JSON object/],
    ['changed', () => lines.map((line) => line.replace('Only once', 'Only twice')), /hash differs/],
    ['with a line less', () => [...lines.slice(0, 8), ...lines.slice(9)], /./],
    ['with lines after the end', () => [...lines, lines[1] ?? ''], /after the end/],
    ['too deep', () => [...lines.slice(0, 2), '['.repeat(100)], /Line 3 .* nests deeper/],
    [
      'with an unknown kind',
      () => changed('agent', (line) => ({ ...line, kind: 'constructor' })),
      /kind 'constructor' is unknown/,
    ],
    ['with an unknown field', () => changed('agent', (line) => ({ ...line, more: 1 })), /more/],
    ['with two sessions', () => twice('session'), /the session is there twice/],
    ['without a session', () => changed('session', () => null), /must be the second/],
    ['with a message twice', () => twice('message'), /./],
    ['with an agent twice', () => twice('agent'), /ann is there twice/],
    ['with a copy twice', () => twice('copy'), /no recipient of message \d+, or has two copies/],
    ['without a copy', () => changed('copy', () => null), /the copy of message \d+ for '\w+' is missing/],
    [
      'with a copy of another message',
      () => changed('copy', (line) => ({ ...line, seq: 9_999 })),
      /message 9999, which does not/,
    ],
    [
      'with a copy for another',
      () => changed('copy', (line) => ({ ...line, agentId: 'zed' })),
      /'zed' is no recipient/,
    ],
    ['without an attachment', () => changed('attachment', () => null), /use without the attachment/],
    ['with other data', () => changed('attachment', (line) => ({ ...line, data: 'aGVsbG8=' })), /another hash/],
    ['with a foreign thread', () => changed('thread', () => null), /of a thread that is not in it: t\d{12}/],
    ['with a foreign member', () => changed('member', (line) => ({ ...line, agentId: 'zed' })), /./],
    [
      'with the hub as an agent',
      () => changed('agent', (line) => ({ ...line, id: 'system' })),
      /'system' is the hub itself/,
    ],
    ['with a message after the last', () => withHeader({ lastSeq: 3 }), /message 4 is after the last, 3/],
    ['with a NUL', () => changed('thread', (line) => ({ ...line, title: 'a\0b' })), /title: .*NUL/],
    ['with half a pair', () => changed('thread', (line) => ({ ...line, title: '\ud800' })), /title: .*surrogate/],
    ['with other content', () => changed('message', (line) => ({ ...line, content: 'text' })), /content: /],
    ['with a number too large', () => changed('message', (line) => ({ ...line, at: 1e300 })), /at: /],
  ];

  it.each(rows)('%s is refused, and nothing of it stays', async (_, file, said) => {
    for (const perPart of [10_000, 5]) {
      const { status, body } = await importLines(hub.url, file(), { sessionId: 'bad', perPart });
      expect({ status, ...body.error }).toMatchObject({ status: 400, code: 'IMPORT_INVALID' });
      expect(body.error.message).toMatch(said);
      expect(body.error.hint).toMatch(/^Nothing was imported\. |^Start again/);
    }
    const { body } = await post(hub.url, 'export_session', {}, { session: 'bad' });
    expect(body.error.code).toBe('SESSION_UNKNOWN');
  });

  it('left nothing: the whole one can still be imported under that name', async () => {
    expect((await importLines(hub.url, lines, { sessionId: 'bad' })).status).toBe(200);
    expect(comparable(await exportLines(hub.url, 'bad'))).toEqual(comparable(lines));
  });

  it('cannot be staged without end', async () => {
    const first = { lines: lines.slice(0, 2).join('\n'), sessionId: 'many' };
    const answers = [];
    for (let count = 0; count < 5; count += 1)
      answers.push(await post(hub.url, 'import_session', first, { session: 'many-imports' }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    expect(answers.at(-1)?.body.error.code).toBe('LIMIT_REACHED');
  });

  it('is refused beyond importBytes, and nothing of it stays', async () => {
    const bytes = lines.join('\n').length;
    const args = (importBytes: number) => ['--config', configFile({ limits: { importBytes } })];
    const [wide, narrow] = [await startHubProcess({ args: args(bytes) }), await startHubProcess({ args: args(2_000) })];
    expect((await importLines(wide.url, lines, { sessionId: 'whole', perPart: 10_000 })).status).toBe(200);
    const refused = await importLines(narrow.url, lines, { sessionId: 'whole', perPart: 5 });
    expect(refused.body.error).toMatchObject({ code: 'TOO_LARGE', details: { limit: 2_000 } });
    expect((await post(narrow.url, 'export_session', {}, { session: 'whole' })).body.error.code).toBe(
      'SESSION_UNKNOWN',
    );
  });
});

/** What says where a letter is kept. */
const lastingLetter = ({ recipient, reason, at, messageId }: Fields) => ({ recipient, reason, at, messageId });

/** What was handed out and not acknowledged is pending again. */
function lasting(receipts: { deliveries: Fields[] }): Fields[] {
  return receipts.deliveries.filter(({ state }) => state !== 'delivered' && state !== 'pending');
}
