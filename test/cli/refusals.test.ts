// What is typed wrong, and what is not there: a code, a reason and a way on, on stderr, with its exit code.
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { output, runCli } from './run-cli.js';
import { useHubProcess } from '../support/use-hub-process.js';

const hub = useHubProcess();

beforeAll(async () => {
  await call(hub.url, 'register_agent', {}, { agent: 'ben' });
});

describe('a command line', () => {
  it.each([
    ['an unknown flag', ['send', '--tto', 'ben', 'x'], /--tto is not a flag of coterie send[^]*Did you mean --to\?/],
    ['an unknown flag unlike any', ['agents', '--qqqqqqqqq'], /--qqqqqqqqq is not a flag[^]*coterie agents --help/],
    ['a flag with one dash', ['send', '-t', 'ben', 'x'], /-t is not a flag[^]*two dashes/],
    ['a flag without its value', ['send', 'x', '--to'], /--to needs a value/],
    ['a flag in the place of a value', ['send', '--to', '--urgent', 'x'], /--to needs a value/],
    ['a flag given twice', ['send', '--to', 'ben', '--to', 'carl', 'x'], /--to was given twice/],
    ['a field given by two names', ['send', '--to', 'ben', '--target', 'ben', 'x'], /--to and --target are the same/],
    ['a word too many', ['send', '--to', 'ben', 'hello', 'there'], /'there' is not expected here[^]*quotes/],
    ['a number that is none', ['inbox', '--limit', 'ten'], /--limit was given 'ten'[^]*a whole number/],
    ['a time that is none', ['wait', '--timeout', 'soon'], /--timeout was given 'soon'[^]*5m/],
    ['a word that is none', ['send', '--type', 'SHOUT', 'x'], /--type was given 'SHOUT'[^]*PING, PONG/],
    ['JSON that is none', ['send', '--payload', '{', 'x'], /--payload was given '\{'[^]*a JSON object/],
    ['a name that is none', ['agents', '--as', 'a b'], /--as was given 'a b'[^]*a letter or digit/],
    ['an address that is none', ['agents', '--url', 'hub'], /--url was given 'hub'[^]*http/],
    ['a value for a switch', ['inbox', '--peek=maybe'], /--peek was given 'maybe'/],
    ['no thread', ['thread'], /thread needs the id of a thread[^]*coterie threads/],
    ['no words to search', ['search'], /search needs words[^]*quotes/],
    ['words to search given twice', ['search', 'a', '--query', 'b'], /given twice/],
    ['a state that is none', ['outbox', '--status', 'gone'], /--status was given 'gone'[^]*pending, delivered/],
    ['a flag of another command', ['stop', '--port', '4200'], /--port is not a flag of coterie stop[^]*--data DIR/],
    ['a hub to stop that has no folder here', ['stop', '--url', 'http://hub:1'], /--url is not a flag[^]*SIGTERM/],
    ['a person’s name for an agent', ['prompt', '--as', 'builder'], /--as is not a flag[^]*Did you mean --agent\?/],
    ['a verb that is none', ['thread', 'creat', 'X', '--as', 'me'], /'X' is not expected[^]*coterie thread create\?/],
    ['a verb that is none and its flag', ['thread', 'creat', '--with', 'ben'], /--with[^]*coterie thread create\?/],
    ['no shell', ['completion', 'bahs'], /'bahs'[^]*bash/],
    ['an unknown command', ['inbx'], /'inbx'[^]*'inbox'/],
    ['an unknown command to explain', ['help', 'inbx'], /'inbx'[^]*'inbox'/],
  ])('with %s is refused', async (_, args, says) => {
    const { exitCode, stdout, stderr } = await runCli(args, { stdin: 'x' });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^USAGE: .+\n.+\n$/);
    expect(stderr).toMatch(says);
  });

  it('may set names in the environment, which are checked the same', async () => {
    const env = { COTERIE_AGENT: 'ann', COTERIE_SESSION: 'from-env', COTERIE_URL: hub.url };
    await call(hub.url, 'register_agent', {}, { agent: 'ben', session: 'from-env' });
    expect(await runCli(['send', '--to', 'ben', 'hi'], { env })).toMatchObject({ exitCode: 0 });
    const { messages } = await call(hub.url, 'get_messages', {}, { agent: 'ben', session: 'from-env' });
    expect(messages).toMatchObject([{ sender: 'ann' }]);
    const wrong = await runCli(['agents'], { env: { ...env, COTERIE_AGENT: 'a b' } });
    expect(wrong).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^USAGE: COTERIE_AGENT was given 'a b'/),
    });
    expect(await runCli(['agents'], { env: { ...env, COTERIE_AGENT: '' } })).toMatchObject({ exitCode: 0 });
  });

  it('without a name is told how to give one', async () => {
    for (const args of [['send', '--to', 'ben', 'x'], ['wait'], ['inbox']]) {
      const ended = await runCli([...args, '--data', hub.data]);
      expect(ended).toMatchObject({ exitCode: 4, stdout: '' });
      expect(ended.stderr).toMatch(
        /^IDENTITY_REQUIRED: This command needs your name\.\nName yourself with --as NAME, or set COTERIE_AGENT\.\n$/,
      );
    }
  });

  it('with the name that stands for one is refused', async () => {
    const ended = await runCli(['send', '--data', hub.data, '--as', 'YOUR-NAME', '--to', 'ben', 'x']);
    expect(ended).toMatchObject({ exitCode: 4, stdout: '' });
    expect(ended.stderr).toMatch(/^ID_RESERVED: 'YOUR-NAME' only stands for a name\.\nUse a name of its own/);
    const { agents } = await call(hub.url, 'list_agents', {});
    expect(agents.map(({ id }: { id: string }) => id)).not.toContain('YOUR-NAME');
  });

  it('with an operation that is none is told where a person finds them all', async () => {
    const ended = await runCli(['call', 'list-thread', '--data', hub.data]);
    expect(ended).toMatchObject({ exitCode: 4, stdout: '' });
    expect(ended.stderr).toMatch(
      /^OPERATION_UNKNOWN: .*\nDid you mean list_threads\? coterie help call lists all\.\n$/,
    );
  });

  it('with a thread’s title is told a command that can be pasted', async () => {
    await runCli(['thread', 'create', 'Release 1.4', '--data', hub.data, '--as', 'ann', '--with', 'ben']);
    const ended = await runCli(['thread', 'reply', 'Release 1.4', 'Done.', '--data', hub.data, '--as', 'ann']);
    expect(ended.stderr).toMatch(
      /written in Release 1\.4 lately\.\nPost without a reply: `?coterie send --thread t\d+ "…"/,
    );
  });

  it('is told the hub’s refusal, with the next command to run', async () => {
    const ended = await runCli(['send', '--data', hub.data, '--as', 'ann', '--to', 'bne', 'x']);
    expect(ended).toMatchObject({ exitCode: 4, stdout: '' });
    expect(ended.stderr).toMatch(/^TARGET_UNKNOWN: .*'bne'.*\n.*ben.*`coterie agents`/);
  });
});

describe('without a hub', () => {
  it('the command that starts one is named', async () => {
    const folder = tempFolder();
    for (const args of [
      ['agents'],
      ['send', '--as', 'a', '--to', 'b', 'x'],
      ['wait', '--as', 'a'],
      ['tail'],
      ['top'],
    ]) {
      const ended = await runCli(args, { cwd: folder });
      expect(ended, args[0]).toMatchObject({ exitCode: 6, stdout: '' });
      expect(ended.stderr).toMatch(
        /^HUB_UNREACHABLE: No hub runs for .*coterie\.\nStart one: coterie serve \(.*coterie where/i,
      );
    }
  });

  it('a folder is named so that it is found from everywhere', async () => {
    const cwd = tempFolder();
    const ended = await runCli(['agents', '--data', './team'], { cwd });
    expect(ended.stderr).toContain(`No hub runs for ${join(cwd, 'team')}.`);
    expect(await output(['stop', '--data', './team'], { cwd })).toBe(`no hub runs for ${join(cwd, 'team')}\n`);
  });

  it('a folder that was named is not taken for another’s hub', async () => {
    const folder = tempFolder();
    // A hub answers at the usual port, but it is not this folder's.
    const env = { COTERIE_PORT: new URL(hub.url).port };
    const ended = await runCli(['agents', '--data', folder], { env });
    expect(ended).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining(`Start one: coterie serve --data ${folder}`),
    });
  });

  it('the note that a killed hub left behind misleads no one', async () => {
    const killed = await startHubProcess();
    await killed.kill();
    const ended = await runCli(['agents', '--data', killed.data]);
    expect(ended).toMatchObject({ exitCode: 6, stderr: expect.stringMatching(/^HUB_UNREACHABLE: No hub runs for/) });
  });

  it('another program at the address is not taken for one', async () => {
    const server = createHttpServer((_, response) => response.writeHead(404).end('no'));
    const port = await new Promise<number>((tell) =>
      server.listen(0, '127.0.0.1', () => tell(portOf(server.address()))),
    );
    const ended = await runCli(['agents', '--url', `http://127.0.0.1:${port}`]);
    expect(ended).toMatchObject({ exitCode: 6, stderr: expect.stringMatching(/is not a hub/) });
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
});

function portOf(address: AddressInfo | string | null): number {
  return (address as AddressInfo).port;
}
