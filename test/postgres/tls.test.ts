// Encrypted connections to the database, and what a hub says when it is not let in.
import { Client, escapeLiteral } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, startCli } from '../cli/run-cli.js';
import { DatabaseDoor } from '../fault/database-door.js';
import { makeCertificates, type Certificates } from '../support/certificates.js';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { tempFolder } from '../support/temp-folder.js';
import { startPostgres, type PostgresProcess } from '../support/postgres-process.js';

const password = 'not-to-be-shown';
const folder = tempFolder();
let server: PostgresProcess;
/** Of the server's owner; open all the time. */
let owner: Client;
let certificates: Certificates;

beforeAll(async () => {
  certificates = makeCertificates(folder, 'localhost');
  server = await startPostgres();
  owner = new Client(server.url);
  await owner.connect();
  await owner.query(`create role hub login password '${password}'`);
  await owner.query('create database team owner hub');
  await writeServerFile('server.key', certificates.serverKey);
  await writeServerFile('server.crt', certificates.serverCertificate);
});

afterAll(async () => {
  await owner.end();
  await server.stop();
});

/** In the server's own folder, and its own. */
async function writeServerFile(name: string, text: string): Promise<void> {
  const program = `tr '|' '\\n' > ${name} && chmod 600 ${name}`;
  // COPY writes a line end as two characters.
  await owner.query(
    `copy (select ${escapeLiteral(text.trim().replaceAll('\n', '|'))}) to program ${escapeLiteral(program)}`,
  );
}

async function letIn(...rules: string[]): Promise<void> {
  await writeServerFile('pg_hba.conf', ['host all coterie 127.0.0.1/32 trust', ...rules, ''].join('\n'));
  await owner.query('select pg_reload_conf()');
}

const encryptedOnly = 'hostssl all hub 127.0.0.1/32 scram-sha-256';

async function serveEncrypted(): Promise<void> {
  await owner.query('alter system set ssl = on');
  await letIn(encryptedOnly);
  await eventually('TLS is on', async () => (await owner.query('show ssl')).rows[0]?.ssl === 'on');
}

function address(query: Record<string, string> = {}, parts: { host?: string; password?: string; port?: string } = {}) {
  const url = new URL(server.url);
  url.username = 'hub';
  url.password = parts.password ?? password;
  url.hostname = parts.host ?? 'localhost';
  url.port = parts.port ?? url.port;
  url.pathname = '/team';
  url.search = new URLSearchParams(query).toString();
  return url.href;
}

const serve = (database: string) => startCli(['serve', '--port', '0'], { env: { COTERIE_DATABASE_URL: database } });

async function refusal(database: string) {
  const { exitCode, stdout, stderr } = await runCli(['serve', '--port', '0'], {
    env: { COTERIE_DATABASE_URL: database },
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: '' });
  expect(stderr).not.toMatch(/not-to-be-shown|Warning|\n\s+at /);
  return stderr;
}

it('a server without TLS is not talked to in the clear when TLS was asked for', async () => {
  await letIn('host all hub 127.0.0.1/32 scram-sha-256');
  expect(await refusal(address({ sslmode: 'verify-full' }))).toMatch(
    /^STORE_UNAVAILABLE: .*does not support SSL connections\nEnable TLS on the server/,
  );
});

it.each(['verify-full', 'require'])(
  'with sslmode=%s the certificate is checked and no warning is printed',
  async (sslmode) => {
    await serveEncrypted();
    const hub = serve(address({ sslmode, sslrootcert: certificates.ca }));
    try {
      await hub.shows(/coterie ready/);
      const url = /ready (\S+)/.exec(hub.stdout())?.[1] ?? '';
      await call(url, 'register_agent', { agentId: 'ann' });
      const { rows } = await owner.query(
        `select distinct s.ssl from pg_stat_ssl s join pg_stat_activity a on a.pid = s.pid where a.usename = 'hub'`,
      );
      expect(rows).toEqual([{ ssl: true }]);
    } finally {
      const { exitCode, stderr } = await hub.end('SIGTERM');
      expect({ exitCode, warns: stderr.includes('Warning') }).toEqual({ exitCode: 0, warns: false });
    }
  },
);

it('a hub that is not let in says why, and what to do', async () => {
  await serveEncrypted();
  const strict = { sslmode: 'verify-full', sslrootcert: certificates.ca };
  const [otherCa, unknownCa, otherName, inTheClear, wrongPassword, noFile] = await Promise.all([
    refusal(address({ ...strict, sslrootcert: certificates.otherCa })),
    refusal(address({ sslmode: 'require' })),
    refusal(address(strict, { host: '127.0.0.1' })),
    refusal(address()),
    refusal(address(strict, { password: 'wrong' })),
    refusal(address({ ...strict, sslrootcert: '/none/ca.pem' })),
  ]);
  for (const stderr of [otherCa, unknownCa])
    expect(stderr).toMatch(/^STORE_UNAVAILABLE: .*certificate.*\n.*not signed by a known CA.*sslrootcert=/);
  expect(otherName).toMatch(/^STORE_UNAVAILABLE: .*127\.0\.0\.1.*\nThe server's certificate is for another name/);
  expect(inTheClear).toMatch(/^STORE_UNAVAILABLE: .*no encryption\n.*\?sslmode=verify-full/);
  expect(wrongPassword).toMatch(
    /^STORE_UNAVAILABLE: .*password authentication failed for user "hub"\nCheck the user and/,
  );
  expect(noFile).toMatch(/^STORE_UNAVAILABLE: .*\/none\/ca\.pem.*\nCheck the files/);
});

it('a server that lets the hub in no more counts as away, until it does', async () => {
  await serveEncrypted();
  const door = await DatabaseDoor.open(server.url);
  const { port } = new URL(door.url);
  const hub = serve(address({ sslmode: 'verify-full', sslrootcert: certificates.ca }, { port }));
  try {
    await hub.shows(/coterie ready/);
    const url = /ready (\S+)/.exec(hub.stdout())?.[1] ?? '';
    await call(url, 'register_agent', { agentId: 'ann' });
    await letIn();
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'hub'`);
    const before = door.admitted;
    const sent = post(url, 'send_message', { target: 'ann', content: 'later' }, { agent: 'ann' });
    await eventually('the hub tries again and again', () => door.admitted > before + 10);
    await letIn(encryptedOnly);
    expect((await sent).status).toBe(200);
  } finally {
    const { exitCode, stderr } = await hub.end('SIGTERM');
    const bugs = stderr.split('\n').filter((line) => line.includes('"event":"bug"'));
    expect({ exitCode, bugs }).toEqual({ exitCode: 0, bugs: [] });
    door.close();
  }
});
