// What a request can bring in place of a key: each is refused in words that say what is wrong, and no part of a key is
// repeated in an answer, a metric or the log.
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKeysIn, type TestKey } from '../support/keys.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { startedBefore } from '../support/use-hub.js';
import { hubsAt } from '../support/hub-team.js';
import { ask, bearer } from './ask.js';

interface KeyedProcess extends HubProcess {
  keys: Record<'ann' | 'admin' | 'elsewhere' | 'expired', TestKey>;
}

const hub = startedBefore(async (): Promise<KeyedProcess> => {
  const data = tempFolder();
  const keys = await makeKeysIn(data, {
    ann: { agent: 'ann' },
    admin: { agent: 'boss', capabilities: ['send', 'read', 'signal', 'admin'] },
    elsewhere: { agent: 'ann', session: 'elsewhere' },
    expired: { agent: 'ann', expiresAt: Date.now() - 1_000 },
  });
  return { ...(await startHubProcess({ data })), keys };
});

let ann = '';
let secret = '';
beforeAll(() => {
  ann = hub.keys.ann.text;
  secret = ann.split('_').slice(2).join('_');
});

/** Whatever bytes the lines have; the answer as text. */
function send(lines: string[], body = ''): Promise<string> {
  const [url = hub.url] = hubsAt(hub.url);
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      const head = [
        'POST /v1/list_agents HTTP/1.1',
        `host: ${host}`,
        'connection: close',
        'content-type: application/json',
      ];
      socket.write(Buffer.from([...head, `content-length: ${body.length}`, ...lines, '', body].join('\r\n'), 'latin1'));
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

type Lines = () => string[];

const refused: [what: string, lines: Lines, says: RegExp][] = [
  ['nothing after Bearer', () => ['authorization: Bearer'], /has none/],
  ['a variable of Claude Code', () => ['authorization: Bearer ${COTERIE_KEY}'], /name of a variable.*Set COTERIE_KEY/],
  ['a variable of OpenCode', () => ['authorization: Bearer {env:COTERIE_KEY}'], /name of a variable/],
  ['an empty header', () => ['authorization:'], /malformed|none/],
  ['a key without Bearer', () => [`authorization: ${ann}`], /malformed/],
  ['Basic', () => [`authorization: Basic ${Buffer.from(`ann:${ann}`).toString('base64')}`], /malformed/],
  ['a key cut short', () => [`authorization: Bearer ${ann.slice(0, -1)}`], /malformed/],
  ['a key and more', () => [`authorization: Bearer ${ann}x`], /malformed/],
  ['two keys in one header', () => [`authorization: Bearer ${ann} ${ann}`], /malformed/],
  ['two keys with a comma', () => [`authorization: Bearer ${ann}, Bearer ${ann}`], /malformed/],
  ['two headers', () => [`authorization: Bearer ${ann}`, `authorization: Bearer ${ann}`], /more than one/],
  ['two headers, the first wrong', () => ['authorization: Basic x', `authorization: Bearer ${ann}`], /more than one/],
  ['a wrong secret', () => [`authorization: Bearer ${ann.slice(0, -6)}AAAAAA`], /does not know/],
  ['another id with the secret', () => [`authorization: Bearer coterie_aaaaaaaaaaaa_${secret}`], /does not know/],
  ['the key in capitals', () => [`authorization: Bearer ${ann.toUpperCase()}`], /malformed/],
  ['an expired key', () => [`authorization: Bearer ${hub.keys.expired.text}`], /expired/],
  ['a line end that is encoded', () => [`authorization: Bearer ${ann}%0d%0a`], /malformed/],
  ['letters beyond ASCII', () => [`authorization: Bearer ${ann.slice(0, -1)}\u00e9`], /malformed/],
  ['another header', () => [`x-api-key: ${ann}`], /has none/],
  ['a cookie', () => [`cookie: key=${ann}`], /has none/],
];

describe('a request', () => {
  it.each(refused)('with %s is refused', async (_, lines, says) => {
    const answer = await send(lines(), '{}');
    expect(statusOf(answer)).toBe(401);
    expect(answer).toMatch(says);
    expect(answer).toMatch(/www-authenticate: Bearer error="invalid_token"/i);
    expect(answer).not.toContain(secret);
  });

  const taken: [what: string, lines: Lines][] = [
    ['bearer in small letters', () => [`authorization: bearer ${ann}`]],
    ['spaces around the key', () => [`authorization:   Bearer   ${ann}  `]],
    ['the name of the header in capitals', () => [`AUTHORIZATION: Bearer ${ann}`]],
  ];

  it.each(taken)('with %s is taken', async (_, lines) => {
    expect(statusOf(await send(lines(), '{}'))).toBe(200);
  });

  const broken: [what: string, lines: Lines][] = [
    ['a NUL in the key', () => [`authorization: Bearer ${ann}\0`]],
    ['a line feed in the key', () => [`authorization: Bearer ${ann}\nx: y`]],
    ['a carriage return in the key', () => [`authorization: Bearer ${ann}\rx: y`]],
    ['a header of 100 KB', () => [`authorization: Bearer ${ann}${'x'.repeat(100_000)}`]],
    ['a header that goes on in the next line', () => ['authorization: Bearer', ` ${ann}`]],
  ];

  it.each(broken)('with %s is refused', async (_, lines) => {
    const answer = await send(lines(), '{}');
    expect([400, 401, 431]).toContain(statusOf(answer));
    expect(answer).not.toContain(secret);
  });

  it('with the key in its address is refused, and the address is not repeated', async () => {
    for (const path of [`/v1/list_agents?key=${ann}`, `/mcp?key=${ann}`, `/mcp?access_token=${ann}`, `/${ann}`]) {
      const { status, text, headers } = await ask(hub.url, { method: 'POST', path, body: {} });
      expect([400, 401]).toContain(status);
      expect(text + JSON.stringify(headers)).not.toContain(secret);
    }
  });

  it('cannot put a header into the answer', async () => {
    const evil = 'x\r\nset-cookie: a=b';
    for (const path of [
      `/v1/${encodeURIComponent(evil)}`,
      `/nothing?${encodeURIComponent(evil)}`,
      '/v1/events?session=%0d%0aset-cookie:a',
    ]) {
      const { headers } = await ask(hub.url, { path, headers: [bearer(ann)] });
      expect(headers).not.toHaveProperty('set-cookie');
    }
  });

  it('is from the session of its key, whatever else it says', async () => {
    const key = bearer(hub.keys.elsewhere.text);
    const asked = (more: (readonly [string, string])[]) =>
      ask(hub.url, { method: 'POST', path: '/v1/list_agents', headers: [key, ...more], body: {} });
    expect((await asked([])).status).toBe(200);
    for (const more of [
      ['coterie-session', 'default'],
      ['coterie-agent', 'boss'],
    ] as const) {
      expect((await asked([more])).body.error.code).toBe('IDENTITY_MISMATCH');
    }
  });

  it('gains nothing from a forged X-Forwarded header', async () => {
    const forged = [
      'x-forwarded-for: 127.0.0.1',
      'x-forwarded-host: evil.example',
      'x-forwarded-proto: https',
      'forwarded: for=127.0.0.1',
    ];
    expect(statusOf(await send(forged, '{}'))).toBeGreaterThanOrEqual(400);
    const answer = await send([...forged, `authorization: Bearer ${ann}`], '{}');
    expect(answer).not.toContain('evil.example');
    const page = await ask(hub.url, { path: '/', headers: [['x-forwarded-host', 'evil.example']] });
    expect(page.text).not.toContain('evil.example');
  });
});

it('no metric and no line of the log has a part of a key', async () => {
  const { text } = await ask(hub.url, { path: '/metrics', headers: [bearer(hub.keys.admin.text)] });
  const told = `${text}${hub.stderr()}`;
  for (const { text: key } of Object.values(hub.keys)) {
    expect(told.includes(key.split('_').slice(2).join('_'))).toBe(false);
  }
});
