// A hub with its own certificate: every client talks to it, messages are delivered as without TLS, and a renewed
// certificate is used without a restart.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectStdio } from '../bridge/stdio-clients.js';
import { runCli } from '../cli/run-cli.js';
import { makeCertificates, type Certificates } from '../support/certificates.js';
import { cleanUpAfter } from '../support/clean-up.js';
import { eventually } from '../support/eventually.js';
import type { HttpAnswer } from '../support/http-call.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { connectMcp, generations } from '../support/mcp-clients.js';
import { tempFolder } from '../support/temp-folder.js';
import { connectRaw } from './raw-http.js';

const folder = tempFolder();
const certificates = makeCertificates(folder, 'localhost', 'IP:127.0.0.1');
const second = join(folder, 'second');
mkdirSync(second);
const renewed = makeCertificates(second, 'localhost', 'IP:127.0.0.1');
const ca = [certificates.ca, renewed.ca].map((file) => readFileSync(file));
const trusted = { NODE_EXTRA_CA_CERTS: certificates.ca };

function writePair(where: string, { serverCertificate, serverKey }: Certificates): { args: string[]; cert: string } {
  const [cert, key] = [join(where, 'tls.crt'), join(where, 'tls.key')];
  writeFileSync(cert, serverCertificate);
  writeFileSync(key, serverKey);
  return { args: ['--tls-cert', cert, '--tls-key', key], cert };
}

let hub: HubProcess;
beforeAll(async () => {
  hub = await startHubProcess({ args: writePair(folder, certificates).args, isShared: true });
});

/** Over a connection of its own, unless an agent is given. */
function post(operation: string, input: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${hub.url}/v1/${operation}`, { method: 'POST', ca, agent: false, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(input));
  });
}

async function open(url: string, options: object = {}): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca, ...options });
  cleanUpAfter(() => socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

describe('the hub', () => {
  it('says https, and commands find it', async () => {
    expect(hub.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const found = await runCli(['where', '--data', hub.data, '--json'], { env: trusted });
    expect(JSON.parse(found.stdout)).toMatchObject({ running: true, url: hub.url });
    const sent = await runCli(['agents', '--data', hub.data], { env: trusted });
    expect(sent).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('is not trusted without its CA, and the command says how', async () => {
    const { stderr, exitCode } = await runCli(['agents', '--url', hub.url]);
    expect(exitCode).toBe(6);
    expect(stderr).toMatch(/^HUB_UNREACHABLE: The certificate [^]*UNABLE_TO_VERIFY[^]*NODE_EXTRA_CA_CERTS/);
    expect(stderr).not.toContain('coterie serve');
    const doctor = await runCli(['doctor', '--data', hub.data]);
    expect(doctor.stdout).toMatch(/wrong {2}hub {7}The certificate [^]*NODE_EXTRA_CA_CERTS/);
    expect(doctor.stdout).not.toContain('coterie stop');
    expect((await runCli(['connect', 'claude', '--url', hub.url])).stderr).toMatch(
      /^HUB_UNREACHABLE: The certificate /,
    );
  });

  it('speaks TLS 1.2 and 1.3, not less, and nothing without TLS', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3']) {
      const socket = await open(hub.url, { minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(open(hub.url, old)).rejects.toThrow(/protocol version|unsupported protocol/i);
    expect(await connectRaw(hub.url, 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n').answer).not.toContain('200');
    expect((await post('list_agents', {})).status).toBe(200);
  });

  it('names itself with https', async () => {
    const sent = request(`${hub.url}/app/hub`, { ca, agent: false });
    sent.end();
    const [response] = await once(sent, 'response');
    let described = '';
    for await (const chunk of response) described += String(chunk);
    expect(JSON.parse(described)).toMatchObject({ url: hub.url, isSecure: true });
    const own = await post('list_agents', {}, { origin: hub.url });
    expect(own.status).toBe(200);
    const plain = await post('list_agents', {}, { origin: hub.url.replace('https', 'http') });
    expect(plain.body.error.code).toBe('ORIGIN_REFUSED');
  });

  it.each(generations)('serves the official client, %s, and the bridge', async (generation) => {
    const bridged = await connectStdio(generation, ['--url', hub.url, '--agent', 'bridged'], 'test', { env: trusted });
    await bridged.call('register_agent', {});
    // The client of this process cannot be given a CA; the commands above verify the certificate.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const client = await connectMcp(generation, `${hub.url}/mcp?agent=direct`);
      const wait = bridged.call('wait_for_mentions', { timeoutMs: 20_000 });
      await client.call('send_message', { target: 'bridged', message: `hello ${generation}` });
      expect((await wait).text).toContain(`hello ${generation}`);
      await client.close();
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });
});

describe('an answer over TLS', () => {
  async function sendTo(session: string): Promise<string> {
    await post('register_agent', { agentId: 'ben' }, { 'coterie-session': session });
    const as = { 'coterie-agent': 'ann', 'coterie-session': session };
    return (await post('send_message', { target: 'ben', message: 'hello' }, as)).body.messageId;
  }

  const stateOf = (session: string, messageId: string, state: string, withinMs?: number) =>
    eventually(
      `${messageId} ${state}`,
      async () => {
        const as = { 'coterie-agent': 'ann', 'coterie-session': session };
        return (await post('get_receipts', { messageId }, as)).body.deliveries[0].state === state;
      },
      withinMs,
    );

  const call = (operation: string, session: string, input = '{}') =>
    `POST /v1/${operation} HTTP/1.1\r\nhost: 127.0.0.1\r\ncoterie-agent: ben\r\ncoterie-session: ${session}\r\ncontent-length: ${input.length}\r\n\r\n${input}`;

  const reads = (socket: TLSSocket) =>
    new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())));

  it('is read two seconds later with the connection open', async () => {
    const id = await sendTo('open');
    const socket = await open(hub.url);
    socket.write(call('get_messages', 'open'));
    expect(await reads(socket)).toContain('hello');
    await stateOf('open', id, 'delivered', 1_000);
    await stateOf('open', id, 'read');
  });

  it('is read at once with the next request', async () => {
    const id = await sendTo('next');
    const socket = await open(hub.url);
    socket.write(call('get_messages', 'next'));
    await reads(socket);
    socket.write(call('list_agents', 'next'));
    await reads(socket);
    await stateOf('next', id, 'read', 1_000);
  });

  it('is read when the client took it and closed', async () => {
    const id = await sendTo('closed');
    const socket = await open(hub.url);
    socket.write(call('get_messages', 'closed'));
    await reads(socket);
    socket.end();
    await stateOf('closed', id, 'read');
  });

  it('comes again, marked, when the client closed with it unread', async () => {
    const id = await sendTo('unread');
    // A socket that is paused reads on for a while. A program that hangs does not.
    const program = `
      const socket = require('node:tls').connect({ port: ${new URL(hub.url).port}, host: '127.0.0.1', rejectUnauthorized: false });
      const hang = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      socket.once('secureConnect', () => socket.write(${JSON.stringify(call('get_messages', 'unread'))}, hang));`;
    const client = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
    cleanUpAfter(() => client.kill('SIGKILL'));
    await stateOf('unread', id, 'delivered');
    client.kill('SIGKILL');
    await stateOf('unread', id, 'pending');
    const { body } = await post('get_messages', {}, { 'coterie-agent': 'ben', 'coterie-session': 'unread' });
    expect(body.messages).toMatchObject([{ id, redelivered: true }]);
  });

  it.each([
    ['its half of the connection', (socket: TLSSocket) => void socket.end()],
    ['the connection', (socket: TLSSocket) => void socket.destroy()],
  ])('is not given to a wait whose client has closed %s', async (what, close) => {
    const session = `gone-${what.length}`;
    await post('register_agent', { agentId: 'ben' }, { 'coterie-session': session });
    const presence = async () => {
      const { body } = await post('list_agents', {}, { 'coterie-session': session });
      return body.agents.find(({ id }: { id: string }) => id === 'ben').presence;
    };
    const socket = await open(hub.url);
    socket.write(call('wait_for_mentions', session, '{"timeoutMs":60000}'));
    await eventually('ben waits', async () => (await presence()) === 'waiting');
    close(socket);
    await eventually('ben waits no more', async () => (await presence()) !== 'waiting');
    const id = await sendTo(session);
    await stateOf(session, id, 'pending', 1_000);
    const { body } = await post('get_messages', {}, { 'coterie-agent': 'ben', 'coterie-session': session });
    expect(body.messages[0]).toMatchObject({ id });
    expect(body.messages[0].redelivered).toBeUndefined();
  });
});

describe('a renewed certificate', () => {
  const serialOf = async (url: string) => (await open(url)).getPeerX509Certificate()?.serialNumber;

  it.each(['in place', 'by rename', 'by a link'])(
    '%s is used, and a broken one is not',
    { tags: ['long'] },
    async (how) => {
      const place = tempFolder();
      const at = (name: string) => join(place, name);
      mkdirSync(at('one'));
      mkdirSync(at('two'));
      writePair(at('one'), certificates);
      writePair(at('two'), renewed);
      const isLink = how === 'by a link';
      if (isLink) symlinkSync('one', at('live'));
      else mkdirSync(at('live'));
      if (!isLink) writePair(at('live'), certificates);
      const args = ['--tls-cert', at('live/tls.crt'), '--tls-key', at('live/tls.key')];
      const served = await startHubProcess({ args });
      const before = await serialOf(served.url);
      const kept = await open(served.url);

      // Half of a pair.
      if (!isLink) {
        writeFileSync(at('live/tls.crt'), renewed.serverCertificate);
        await eventually('the hub says so', () => served.stderr().includes('certificate not reloaded'));
        expect(await serialOf(served.url)).toBe(before);
      }
      if (isLink) {
        symlinkSync('two', at('next'));
        renameSync(at('next'), at('live'));
      } else if (how === 'by rename') {
        for (const name of ['tls.crt', 'tls.key']) {
          copyFileSync(at(`two/${name}`), at(name));
          renameSync(at(name), at(`live/${name}`));
        }
      } else writePair(at('live'), renewed);
      await eventually('the new one is used', async () => (await serialOf(served.url)) !== before);
      kept.write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
      expect(String((await once(kept, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);

      const after = await serialOf(served.url);
      rmSync(at('live/tls.key'));
      await eventually('the hub misses it', () => served.stderr().match(/certificate not reloaded.*tls-key/g) !== null);
      expect(await serialOf(served.url)).toBe(after);
      expect(served.stderr()).not.toContain('PRIVATE');
    },
  );
});

describe('files that cannot be used', () => {
  const pair = () => writePair(folder, certificates).args;
  const [none, junk] = [join(folder, 'none.pem'), join(folder, 'junk.pem')];
  writeFileSync(junk, 'not PEM');
  const serve = (args: string[], env: NodeJS.ProcessEnv = {}) =>
    runCli(['serve', '--port', '0', '--data', join(folder, 'never'), ...args], { env });

  it.each([
    [
      'a certificate that is not there',
      () => ['--tls-cert', none, ...pair().slice(2)],
      /--tls-cert: [^]*none\.pem[^]*ENOENT/,
    ],
    ['a key that is not there', () => [...pair().slice(0, 2), '--tls-key', none], /--tls-key: [^]*none\.pem[^]*ENOENT/],
    ['a certificate that is none', () => ['--tls-cert', junk, ...pair().slice(2)], /--tls-cert: [^]*junk\.pem/],
    ['a key that is none', () => [...pair().slice(0, 2), '--tls-key', junk], /--tls-key: [^]*junk\.pem/],
    ['a folder', () => ['--tls-cert', folder, ...pair().slice(2)], /--tls-cert: [^]*EISDIR/],
    [
      'a key of another certificate',
      () => [...pair().slice(0, 2), '--tls-key', join(second, 'server.key')],
      /--tls-key: [^]*MISMATCH/i,
    ],
    ['only a certificate', () => pair().slice(0, 2), /--tls-cert was given without --tls-key/],
    ['only a key', () => pair().slice(2), /--tls-key was given without --tls-cert/],
  ])('%s', async (_, args, says) => {
    const { exitCode, stderr } = await serve(args());
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^USAGE: /);
    expect(stderr).toMatch(says);
  });
});
