// Every limit: what is just within it passes, what is just beyond it is refused, through HTTP and MCP.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { limits, type ErrorCode, type Limits } from '../../dist/contract/index.js';
import { configFile } from '../support/config-file.js';
import { call, post } from '../support/http-call.js';
import { connectMcp, type McpClient } from '../support/mcp-clients.js';
import { parkedAt } from '../support/metrics.js';
import { useHub } from '../support/use-hub.js';

type Name = keyof Limits;
type Fields = Record<string, unknown>;

/** Small enough to be reached by counting. */
const small = { groups: 8, sessions: 4, inbox: 3, parkedWaits: 2 };
const hub = useHub({ args: ['--config', configFile({ limits: small })] });
let client: McpClient;

beforeAll(async () => {
  for (const agentId of ['ann', 'ben', 'full']) await call(hub.url, 'register_agent', { agentId }, { agent: agentId });
  client = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&tools=all`);
  return () => client.close();
});

const x = (length: number) => 'x'.repeat(length);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);
const words = (count: number) => ids(count).join(' ');
/** As JSON of exactly this size. */
const object = (bytes: number) => ({ x: x(bytes - '{"x":""}'.length) });
const text = { type: 'text', text: '' };
const image = (bytes: number) => {
  const data = Buffer.alloc(bytes).toString('base64');
  return [{ type: 'image', source: { type: 'base64', mediaType: 'image/png', data } }];
};
const thread = async () => {
  const { threadId } = await call(hub.url, 'create_thread', { title: 'T', participants: ['ben'] }, { agent: 'ann' });
  return threadId as string;
};
const posted = async (fields: Fields) => ({ threadId: await thread(), content: 'x', ...fields });

let keys = 0;
const newKey = (length: number) => String(keys++).padEnd(length, 'x');
let messageId: string | undefined;
const received = async () => {
  messageId ??= (await call(hub.url, 'send_message', { target: 'ann', message: 'x' }, { agent: 'ben' })).messageId;
  return messageId;
};

/** A field whose size is limited. */
interface FieldRow {
  operation: string;
  input: (size: number) => Fields | Promise<Fields>;
  code?: ErrorCode;
  /** What is refused beyond a lower limit is less. */
  isLowest?: boolean;
}

const fields = {
  contentBytes: {
    operation: 'send_message',
    input: (size) => posted({ content: x(size - JSON.stringify([text]).length) }),
    code: 'TOO_LARGE',
  },
  attachmentBytes: { operation: 'send_message', input: (size) => posted({ content: image(size) }), code: 'TOO_LARGE' },
  contentBlocks: {
    operation: 'send_message',
    input: (size) => posted({ content: ids(size).map((id) => ({ ...text, text: id })) }),
  },
  payloadBytes: { operation: 'send_message', input: (size) => posted({ payload: object(size) }) },
  contextBytes: { operation: 'send_message', input: (size) => posted({ context: x(size) }) },
  metadataBytes: { operation: 'send_message', input: (size) => posted({ metadata: object(size) }) },
  ttlSecondsMin: { operation: 'send_message', input: (size) => posted({ ttl: size }), isLowest: true },
  ttlSecondsMax: { operation: 'send_message', input: (size) => posted({ ttl: size }) },
  idempotencyKeyChars: { operation: 'send_message', input: (size) => posted({ idempotencyKey: newKey(size) }) },
  mentions: { operation: 'send_message', input: (size) => posted({ mentions: Array(size).fill('ben') }) },
  titleChars: { operation: 'create_thread', input: (size) => ({ title: x(size) }) },
  participants: {
    operation: 'create_thread',
    input: (size) => ({ title: 'T', participants: ['ben', ...ids(size - 1)] }),
  },
  summaryChars: { operation: 'close_thread', input: async (size) => ({ threadId: await thread(), summary: x(size) }) },
  nameChars: { operation: 'register_agent', input: (size) => ({ name: x(size) }) },
  descriptionChars: { operation: 'register_agent', input: (size) => ({ description: x(size) }) },
  capabilities: { operation: 'register_agent', input: (size) => ({ capabilities: ids(size) }) },
  templateChars: { operation: 'set_notify_template', input: (size) => ({ name: 'closed', text: x(size) }) },
  prefThreads: {
    operation: 'set_notify_prefs',
    input: async (size) => ({ muteThreads: Array(size).fill(await thread()) }),
  },
  groupMembers: { operation: 'set_group', input: (size) => ({ name: 'crowd', members: ids(size) }) },
  ackIds: { operation: 'ack_messages', input: async (size) => ({ ids: Array(size).fill(await received()) }) },
  pageSize: { operation: 'get_messages', input: (limit) => ({ limit }) },
  outboxPageSize: { operation: 'get_sent_messages', input: (limit) => ({ limit }) },
  historyPageSize: { operation: 'query_message_history', input: (limit) => ({ source: 'ann', limit }) },
  searchPageSize: { operation: 'search_messages', input: (limit) => ({ query: 'a', limit }) },
  searchQueryChars: { operation: 'search_messages', input: (size) => ({ query: x(size) }) },
  searchWords: { operation: 'search_messages', input: (size) => ({ query: words(size) }) },
  questionChars: { operation: 'send_alert', input: (size) => ({ message: x(size) }) },
  questionOptions: { operation: 'ask_question', input: (size) => ({ question: 'x', options: ids(size) }) },
  optionChars: { operation: 'ask_question', input: (size) => ({ question: 'x', options: [x(size)] }) },
  answerChars: { operation: 'ask_question', input: (size) => ({ question: 'x', defaultAnswer: x(size) }) },
  questionPeople: { operation: 'send_alert', input: (size) => ({ message: 'x', to: Array(size).fill('me') }) },
  wakePageSize: { operation: 'list_wakes', input: (limit) => ({ limit }) },
  waitMs: { operation: 'wait_for_agents', input: (timeoutMs) => ({ agentIds: ['ann'], timeoutMs }) },
} satisfies Partial<Record<Name, FieldRow>>;

describe.each(Object.entries<FieldRow>(fields))(
  '%s',
  (name, { operation, input, code = 'INVALID_INPUT', isLowest }) => {
    const limit = () => limits[name as Name];

    it('passes at the limit', async () => {
      const answer = await post(hub.url, operation, await input(limit()), { agent: 'ann' });
      expect(answer).toMatchObject({ status: 200 });
      const tool = await client.call(operation, await input(limit()));
      expect([tool.isError, tool.text]).toEqual([false, expect.any(String)]);
    });

    it('is refused beyond it, with the limit', async () => {
      const beyond = limit() + (isLowest === true ? -1 : 1);
      const { body } = await post(hub.url, operation, await input(beyond), { agent: 'ann' });
      expect(body.error).toMatchObject({ code, message: expect.stringContaining(String(limit())) });
      const tool = await client.call(operation, await input(beyond));
      expect([tool.isError, tool.text]).toEqual([true, expect.stringMatching(RegExp(`^${code}: .*${limit()}`))]);
    });
  },
);

/** A whole request, as each door takes it. */
interface BodyRow {
  http: (size: number) => string;
  mcp: (size: number) => string;
  code: ErrorCode;
}

const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
const send = (payload: string) => `{"target":"nobody","message":"x","payload":${payload}}`;
const tool = (name: string, given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;
const padded = (body: string, bytes: number) => `${body.slice(0, -1)}${' '.repeat(bytes - body.length)}}`;

const bodies = {
  jsonDepth: {
    http: (depth) => send(nested(depth - 1)),
    mcp: (depth) => tool('send_message', send(nested(depth - 3))),
    code: 'JSON_TOO_DEEP',
  },
  requestBytes: {
    http: (bytes) => padded('{}', bytes),
    mcp: (bytes) => padded(tool('list_agents', '{}'), bytes),
    code: 'BODY_TOO_LARGE',
  },
} satisfies Partial<Record<Name, BodyRow>>;

describe.each(Object.entries<BodyRow>(bodies))('%s', (name, row) => {
  const headers = {
    'coterie-agent': 'ann',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const read = async (path: string, body: string) =>
    (await fetch(`${hub.url}${path}`, { method: 'POST', headers, body })).text();
  const answers = (size: number) =>
    Promise.all([
      read(`/v1/${row === bodies.jsonDepth ? 'send_message' : 'list_agents'}`, row.http(size)),
      read('/mcp', row.mcp(size)),
    ]);

  it('passes at the limit, and is refused beyond it with the limit', async () => {
    const limit = limits[name as Name];
    for (const answer of await answers(limit)) expect(answer).not.toContain(row.code);
    for (const answer of await answers(limit + 1)) expect(answer).toMatch(RegExp(`${row.code}[^]*${limit}`));
  });
});

/** A call that adds one of what is limited in number. */
interface CountRow {
  operation: string;
  input: (index: number) => Fields;
  session?: (index: number) => string;
  code: ErrorCode;
}

const counts = {
  groups: {
    operation: 'set_group',
    input: (index) => ({ name: `g${index}`, members: ['ben'] }),
    code: 'LIMIT_REACHED',
  },
  inbox: { operation: 'send_message', input: () => ({ target: 'full', message: 'x' }), code: 'INBOX_FULL' },
  sessions: {
    operation: 'register_agent',
    input: () => ({ agentId: 'ann' }),
    session: (index) => `s${index}`,
    code: 'LIMIT_REACHED',
  },
} satisfies Partial<Record<Name, CountRow>>;

describe.each(Object.entries<CountRow>(counts))('%s', (name, { operation, input, session = () => 'default', code }) => {
  it('are taken up to the limit, and refused beyond it', async () => {
    const limit = limits[name as Name];
    let added = 0;
    let answer = { status: 200, body: {} as { error?: unknown } };
    while (answer.status === 200 && added <= limit) {
      answer = await post(hub.url, operation, input(added), { agent: 'ann', session: session(added) });
      if (answer.status === 200) added += 1;
    }
    expect(answer.body.error).toMatchObject({ code, retry: 'later', message: expect.any(String) });
    expect(added).toBe(limit - (await countBefore(name)));
    const other = await connectMcp('v2 2026', `${hub.url}/mcp?agent=ann&tools=all&session=${session(added)}`);
    const refused = await other.call(operation, input(added));
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(RegExp(`^${code}: `))]);
    await other.close();
  });
});

/** Groups and sessions that every hub begins with. */
async function countBefore(name: string): Promise<number> {
  if (name === 'sessions') return 1;
  if (name !== 'groups') return 0;
  const { groups } = await call(hub.url, 'list_groups', {});
  return groups.filter((group: { name: string }) => group.name !== 'all' && !/^g\d$/.test(group.name)).length;
}

it('parkedWaits are taken up to the limit, and refused beyond it', async () => {
  const end = new AbortController();
  const wait = (timeoutMs: number) =>
    post(hub.url, 'wait_for_mentions', { timeoutMs, from: 'noone' }, { agent: 'ann', signal: end.signal });
  const parked = Array.from({ length: small.parkedWaits }, () => wait(60_000).catch(() => {}));
  await parkedAt(hub, small.parkedWaits);
  expect((await wait(0)).body.error).toMatchObject({ code: 'TOO_MANY_WAITS', details: { limit: small.parkedWaits } });
  expect((await client.call('wait_for_mentions', { timeoutMs: 0 })).text).toMatch(/^TOO_MANY_WAITS: .* 2\./);
  end.abort();
  await Promise.all(parked);
});

/** Limits that need a story of their own: the file, and a test's name in it. */
const stories = {
  questionsPending: ['story/question-times', 'makes room for new ones'],
  alertsBurst: ['story/alert-rates', 'refused with the time after which it may'],
  alertsPerMinute: ['story/alert-rates', 'refused with the time after which it may'],
  sessionAlertsBurst: ['story/alert-rates', 'agents of a session together are bounded'],
  sessionAlertsPerMinute: ['story/alert-rates', 'agents of a session together are bounded'],
  wakeRoutes: ['story/wake-bad-input', 'beyond the number of routes that an agent may have'],
  wakeConfirmMs: ['story/wake-bad-input', 'with too much time to confirm'],
  wakeReasonChars: ['story/wake-bad-input', 'with a reason that is too long'],
  wakesPerHour: ['story/wake-budget', 'after its budget of an hour it is left alone'],
  wakeQuietMs: ['story/wake-budget', 'in its quiet period after a wake'],
  wokenTurns: ['story/wake-budget', 'are stopped, as those that only answer each other are'],
  wakeGraceMs: ['story/wake-routes', 'is not woken while it is at work'],
  escalateAfterMs: ['story/wake-chain', 'no route and no call for a minute'],
  escalations: ['store-contract/wakes', 'of one sender are bounded'],
  auditExamined: ['store-contract/audit-pages', 'examines a bounded number of entries'],
  readMs: ['store-contract/long-reads', 'a read that takes too long is ended'],
  readsQueued: ['store-contract/long-reads', 'a read too many is refused'],
  searchesPerCaller: ['store-contract/long-reads', 'of one caller'],
  searchesQueued: ['store-contract/long-reads', 'a search too many is refused'],
  totals: ['store-contract/totals', 'count no further than the limit'],
  answerBytes: ['adversary/long-answers', 'survives many long answers at once'],
  answerBytesPerCaller: ['adversary/long-answers', 'a caller does not read are bounded'],
  answerBytesPerConnection: ['access/answer-room', 'of one connection'],
  jsonValues: ['adversary/hostile-bodies', 'very many keys is refused'],
  batchMessages: ['adversary/hostile-bodies', 'a batch of very many messages is refused'],
  pageBytes: ['story/page-bytes', 'pages end at a number of bytes'],
  streamStuckMs: ['adversary/followers', 'takes nothing for long is disconnected'],
  parkedWaits: ['story/limits', 'parkedWaits are taken up to the limit'],
  inlineBytes: ['story/attachments', 'gets references for what would make the answer too large'],
  shownBytes: ['story/attachments', 'is shown no more than the answer may cost or carry'],
  allDays: ['story/groups', 'agents unseen for the days set leave all'],
  joinHistory: ['story/late-joiners', 'join'],
  replyChainHops: ['story/loop-guard', 'a chain of quick replies ends at 64 hops'],
  replyChainPauseMs: ['story/loop-guard', 'a pause or a fresh message starts anew'],
  turnsMax: ['story/loop-guard', 'stopped at the 61st within a minute'],
  turnsWindowMs: ['story/loop-guard', 'may go on after it'],
  callsPerSecond: ['story/rates', 'with the time after which it may call'],
  callsBurst: ['story/rates', 'with the time after which it may call'],
  failedKeysPerMinute: ['story/rates', 'an address with too many wrong keys'],
  waitsPerKey: ['story/caps', 'of a key are refused beyond its number'],
  waitsPerAddress: ['story/caps', 'of an address are refused beyond its number'],
  streamsPerKey: ['story/caps', 'of a key and of an address are refused beyond their number'],
  streamsPerAddress: ['story/caps', 'of a key and of an address are refused beyond their number'],
  bodyBytesPerKey: ['story/caps', 'that a key has in flight are refused beyond its number'],
  bodyBytesPerAddress: ['story/caps', 'of an address are refused beyond its number'],
  headerBytes: ['walls/slow-and-large', 'of 15 KB are read, of 17 KB refused'],
  headers: ['walls/slow-and-large', 'are at most as many as the limit says'],
  headersMs: ['walls/slow-and-large', 'in its headers or its body ends in time'],
  requestMs: ['walls/slow-and-large', 'in its headers or its body ends in time'],
  connections: ['walls/connections', 'in all are as many as the limit says'],
  connectionsPerAddress: ['walls/connections', 'address'],
  channels: ['store-contract/pushes', 'channels of a person are refused beyond their number'],
  imports: ['story/transfer', 'many-imports'],
  importBytes: ['story/transfer', 'importBytes'],
  bodyBytes: ['access/caps', 'of all callers are refused beyond the hub’s number'],
  agentKeys: ['signal/hub-secret', 'the newest of its programs’ keys'],
  devices: ['access/pairing', 'a person has at most as many devices as the limit says'],
  pairings: ['access/pairing', 'are open at most as many at once as the limit says'],
} satisfies Partial<Record<Name, [file: string, title: string]>>;

it.each(Object.entries(stories))('%s is shown in another test', (_, [file, title]) => {
  expect(readFileSync(`test/${file}.test.ts`, 'utf8')).toContain(title);
});

it('has a row for every limit', () => {
  const shown = [fields, bodies, counts, stories].flatMap((rows) => Object.keys(rows));
  expect(shown.toSorted()).toEqual(Object.keys(limits).toSorted());
});
