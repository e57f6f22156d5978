// The proxy rules in deploy/: all calls of a session reach one hub, and another one when that hub is gone.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { makeKeysIn, type TestKey } from '../support/keys.js';
import { tempFolder } from '../support/temp-folder.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const script = fileURLToPath(new URL('../../scripts/proxies.mjs', import.meta.url));
const sessions = ['red', 'green', 'blue', 'grey', 'pink', 'gold', 'teal', 'navy'];
const callsEach = 12;

interface Proxy {
  name: 'caddy' | 'nginx';
  file: string;
  args: (file: string, folder: string) => string[];
}

const proxies: Proxy[] = [
  { name: 'caddy', file: 'Caddyfile', args: (file) => ['run', '--adapter', 'caddyfile', '--config', file] },
  {
    name: 'nginx',
    file: 'nginx.conf',
    args: (file, folder) => ['-p', folder, '-c', file, '-e', 'stderr', '-g', `daemon off; pid ${folder}/pid;`],
  },
];

// Safe: the script prints the paths by these names.
const programs = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })) as {
  [Name in Proxy['name']]?: string;
};

/** Starts the proxy with the file of deploy/, before these hubs, and returns its address. */
async function startProxy({ name, file, args }: Proxy, urls: readonly string[], port: number): Promise<string> {
  const folder = tempFolder();
  let text = readFileSync(here(`../../deploy/${file}`), 'utf8');
  for (const [index, url] of urls.entries()) text = text.replace(`127.0.0.1:410${index + 1}`, new URL(url).host);
  text = text.replace(':4100', `:${port}`).replace('listen 4100', `listen 127.0.0.1:${port}`);
  // Debian's nginx writes to folders that only its installation makes.
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`);
  text = text.replace(/^http \{$/m, `http {\n${places.join('\n')}\naccess_log off;`);
  writeFileSync(join(folder, file), text);
  const child = spawn(programs[name] ?? '', args(join(folder, file), folder), {
    stdio: 'ignore',
    env: { HOME: folder },
  });
  cleanUpAfter(() => child.kill());
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    'the proxy leads to a hub',
    () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    20_000,
  );
  return url;
}

/** How many calls of operations each hub has had. */
async function callsAt(hubs: readonly HubProcess[], key: TestKey): Promise<number[]> {
  return Promise.all(
    hubs.map(async ({ url }) => {
      const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key.text}` } })).text();
      const rows = text.split('\n').filter((row) => row.startsWith('coterie_operations_total{operation="list_agents"'));
      return rows.reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0);
    }),
  );
}

describe.for(proxies)('deploy/$file', (proxy) => {
  let hubs: HubProcess[] = [];
  let keys: Record<string, TestKey> = {};
  let url = '';
  const keyOf = (name: string) => keys[name] ?? expect.unreachable(`no key ${name}`);

  beforeAll(async () => {
    const data = tempFolder({ isShared: true });
    // Two agents in each session: it is the session that decides, not the key.
    const wishes = sessions.flatMap((session) =>
      ['ann', 'ben'].map((agent) => [`${session} ${agent}`, { session, agent }] as const),
    );
    const admin = { agent: 'root', capabilities: ['admin' as const] };
    keys = await makeKeysIn(data, { ...Object.fromEntries(wishes), admin });
    const port = await freePort();
    const args = ['--trust-proxy', '127.0.0.1', '--public-url', `http://127.0.0.1:${port}`];
    hubs = await Promise.all([1, 2, 3].map(() => startHubProcess({ data, args, isShared: true })));
    url = await startProxy(
      proxy,
      hubs.map((hub) => hub.url),
      port,
    );
  });

  async function callIn(session: string, agent: string, by: 'header' | 'query'): Promise<number> {
    const query = by === 'query' ? `?session=${session}` : '';
    const response = await fetch(`${url}/v1/list_agents${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${keyOf(`${session} ${agent}`).text}`,
        ...(by === 'header' ? { 'coterie-session': session } : {}),
      },
      body: '{}',
    });
    await response.text();
    return response.status;
  }

  /** The hub that had the calls, and that no other had one. */
  async function hubOf(session: string): Promise<number> {
    const before = await callsAt(hubs, keyOf('admin'));
    const calls = Array.from({ length: callsEach }, (_, index) =>
      callIn(session, index % 2 === 0 ? 'ann' : 'ben', index % 3 === 0 ? 'query' : 'header'),
    );
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
    const after = await callsAt(hubs, keyOf('admin'));
    const had = after.map((count, index) => count - (before[index] ?? 0));
    expect(had.toSorted((a, b) => b - a)).toEqual([callsEach, ...hubs.slice(1).map(() => 0)]);
    return had.indexOf(callsEach);
  }

  it.skipIf(programs[proxy.name] === undefined)(
    'keeps each session at one hub, and moves it when that hub is gone',
    async () => {
      const homes = new Map<string, number>();
      for (const session of sessions) homes.set(session, await hubOf(session));
      // Several hubs have work; eight sessions at one of three by chance would be rare, and the hashes do not change.
      expect(new Set(homes.values()).size).toBeGreaterThan(1);

      const lost = homes.get('red') ?? expect.unreachable();
      await hubs[lost]?.kill();
      const left = hubs.filter((_, index) => index !== lost);
      await eventually('red is served again', async () => (await callIn('red', 'ann', 'header')) === 200);
      hubs = left;
      await hubOf('red');
    },
  );
});
