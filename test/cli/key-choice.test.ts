// The key of a command: from COTERIE_KEY or a file, never from an argument, and never in what is printed.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { callWith, keyCommands, keyIn, type KeyCommand } from '../support/key-commands.js';
import { tempFolder } from '../support/temp-folder.js';
import { useHub } from '../support/use-hub.js';
import { output, runCli, startCli } from './run-cli.js';

const hub = useHub();
let coterie: KeyCommand;
let ann: { id: string; text: string };
let ben: { id: string; text: string };

beforeAll(async () => {
  coterie = await keyCommands(hub.data);
  ann = keyIn(await coterie('keys', 'create', '--agent', 'ann', '--admin'));
  ben = keyIn(await coterie('keys', 'create', '--agent', 'ben'));
  await eventually('open mode is over', async () => (await callWith(undefined, hub.url, 'list_agents')).status === 401);
  await callWith(ben.text, hub.url, 'register_agent');
});

const at = (...args: string[]) => [...args, ...hub.flags];
const withKey = ({ text }: { text: string }) => ({ env: { COTERIE_KEY: text } });

function keyFile(content: string, mode = 0o600): string {
  const file = join(tempFolder(), 'key');
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

describe('with a key', () => {
  it('commands need no name', async () => {
    expect(await output(at('send', '--to', 'ben', 'the notes'), withKey(ann))).toMatch(/ben/);
    expect(await output(at('inbox'), withKey(ben))).toMatch(/ann → ben[^]*the notes/);
    expect(await output(at('inbox'), withKey(ben))).toMatch(/^No unread messages for ben\.$/m);
    expect(await output(at('call', 'get_notify_prefs'), withKey(ben))).toContain('"agentId":"ben"');
  });

  it('a thread needs none either', async () => {
    const { body } = await callWith(ann.text, hub.url, 'create_thread', { title: 'Plan', participants: ['ben'] });
    const { threadId: id } = body;
    await callWith(ann.text, hub.url, 'send_message', { threadId: id, content: 'shall we?' });
    expect(await output(at('thread', 'reply', id, 'yes'), withKey(ben))).toMatch(/Answers .* of ann: shall we\?/);
    const chat = await runCli(at('chat', id), { ...withKey(ben), stdin: 'done\n' });
    expect(chat).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/ben .*done/) });
  });

  it('tail and top follow the session', async () => {
    const tail = startCli(at('tail'), withKey(ann));
    await tail.shows(/Following|http/);
    await output(at('send', '--to', 'ben', 'for the tail'), withKey(ann));
    await tail.shows(/for the tail/);
    await tail.end('SIGINT');
    expect(await output(at('top', '--once'), withKey(ann))).toMatch(/ann/);
  });

  it('another name is refused', async () => {
    const refused = await runCli(at('send', '--as', 'cleo', '--to', 'ben', 'x'), withKey(ann));
    expect(refused).toMatchObject({
      exitCode: 5,
      stderr: expect.stringMatching(/^IDENTITY_MISMATCH[^]*\nLeave out --as/),
    });
  });

  it('a file overrides the variable', async () => {
    const file = keyFile(`${ben.text}\n`);
    const said = await output(at('call', 'get_notify_prefs', '--key-file', file), withKey(ann));
    expect(said).toContain('"agentId":"ben"');
  });

  it('a session goes out and in again', async () => {
    const file = keyFile(ann.text);
    const exported = join(tempFolder(), 'team.jsonl');
    await output(at('export', exported, '--key-file', file));
    expect(await output(at('import', exported, '--session', 'copy', '--key-file', file))).toMatch(
      /^Imported session copy/,
    );
  });

  it('doctor says whether the hub accepts it', async () => {
    expect(await output(at('doctor'), withKey(ann))).toMatch(/^ok +key +the hub accepts the key in COTERIE_KEY$/m);
    const without = await runCli(at('doctor'));
    expect(without).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^wrong +key +the hub needs a key/m) });
    const wrong = await runCli(at('doctor'), withKey({ text: `${ann.text.slice(0, -3)}xyz` }));
    expect(wrong.stdout).toMatch(/^wrong +key +COTERIE_KEY: This hub does not know the key\.$/m);
  });
});

it('the page of a hub with keys has no path of its machine', async () => {
  const shown = await (await fetch(`${hub.url}/app/hub`)).json();
  const line = expect.objectContaining({ text: `coterie mcp --url ${hub.url}` });
  expect(shown).toMatchObject({ connect: expect.arrayContaining([line]) });
  expect(JSON.stringify(shown)).not.toContain('main.js');
});

describe('a refused key is exit code 5 and says why', () => {
  it.each([
    ['missing', undefined, /^KEY_REQUIRED: .*\nSet COTERIE_KEY, or give --key-file FILE\. .*coterie keys create/],
    ['malformed', 'coterie_cut', /^KEY_INVALID: The key is malformed.*\nIt is the one in COTERIE_KEY\./],
    ['unknown', `coterie_aaaaaaaaaaaa_${'a'.repeat(43)}`, /^KEY_INVALID: This hub does not know the key\./],
    ['with a line break', 'coterie_a\r\nx-injected: 1', /^KEY_INVALID: There is no key in COTERIE_KEY/],
  ])('%s', async (_, text, said) => {
    const refused = await runCli(at('agents'), text === undefined ? {} : withKey({ text }));
    expect(refused).toMatchObject({ exitCode: 5, stdout: '' });
    expect(refused.stderr).toMatch(said);
    if (text !== undefined) expect(refused.stderr).not.toContain(text.slice(0, 60));
  });

  it('revoked, for a live feed too', async () => {
    const cleo = keyIn(await coterie('keys', 'create', '--agent', 'cleo'));
    await eventually('it works', async () => (await runCli(at('agents'), withKey(cleo))).exitCode === 0);
    const tail = startCli(at('tail'), withKey(cleo));
    await tail.shows(/Following|http/);
    await coterie('keys', 'revoke', cleo.id);
    const ended = await tail.end();
    expect(ended).toMatchObject({ exitCode: 5, stderr: expect.stringMatching(/KEY_INVALID: The key was revoked\./) });
    expect(ended.stderr).not.toContain(cleo.text);
  });
});

describe('a key file', () => {
  it.skipIf(process.platform === 'win32').each([0o640, 0o604, 0o644])(
    'that others can read is refused (%o)',
    async (mode) => {
      const file = keyFile(ann.text, mode);
      const refused = await runCli(at('agents', '--key-file', file));
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
      expect(refused.stderr).toMatch(/^USAGE: --key-file: other users can read .*\nMake it yours alone: chmod 600 /);
      expect(refused.stderr).not.toContain(ann.text);
    },
  );

  it.each([
    ['that is empty', '\n', 5, /^KEY_INVALID: There is no key in the file .*: it is empty/],
    ['with more than a key', 'key = coterie_x', 5, /^KEY_INVALID: There is no key in the file/],
    ['that is far too long', 'x'.repeat(5_000), 2, /^USAGE: --key-file: .* is too long for a key/],
  ])('%s is refused', async (_, content, exitCode, said) => {
    const refused = await runCli(at('agents', '--key-file', keyFile(content)));
    expect(refused).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(said) });
  });

  it('that is not there, or no file, is refused', async () => {
    for (const [file, reason] of [
      [join(tempFolder(), 'none'), 'ENOENT'],
      [tempFolder(), 'EISDIR'],
    ] as const) {
      const refused = await runCli(at('agents', '--key-file', file));
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`(${reason})`) });
    }
  });
});

it.each([
  ['agents', ['--key']],
  ['send', ['--to', 'ben', 'hi', '--key']],
  ['mcp', ['--key']],
  ['agents', ['--as']],
  ['keys', ['create', '--agent']],
  ['keys', ['create']],
  ['people', ['add']],
])('a key as an argument of %s %j is refused and not echoed', async (command, flags) => {
  const refused = await runCli([command, ...flags, ann.text, '--data', hub.data]);
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).not.toContain(ann.text.slice(21, 40));
  if (flags.includes('--key')) expect(refused.stderr).toMatch(/process list: set COTERIE_KEY, or .*--key-file FILE/);
});

describe('coterie keys --url', () => {
  it('calls the operations of an administrator', async () => {
    const url = ['--url', hub.url];
    const made = keyIn(await runCli(['keys', 'create', '--agent', 'dan', '--expires', '12h', ...url], withKey(ann)));
    const { keys } = JSON.parse(await output(['keys', 'list', '--json', ...url], withKey(ann)));
    expect(keys[0]).toMatchObject({ id: made.id, agentId: 'dan', createdBy: ann.id });
    const rotated = keyIn(await runCli(['keys', 'rotate', made.id, ...url], withKey(ann)));
    expect(await output(['keys', 'revoke', rotated.id, ...url], withKey(ann))).toMatch(/^Revoked key /);
    expect(await output(['people', 'list', ...url], withKey(ann))).toMatch(/^me +me$/m);
  });

  it('is refused without a key, without admin, and for people', async () => {
    const url = ['--url', hub.url];
    const without = await runCli(['keys', 'create', '--agent', 'x', ...url]);
    expect(without).toMatchObject({ exitCode: 5, stdout: '', stderr: expect.stringMatching(/^KEY_REQUIRED/) });
    const asBen = await runCli(['keys', 'list', ...url], withKey(ben));
    expect(asBen).toMatchObject({ exitCode: 5, stdout: '', stderr: expect.stringMatching(/^FORBIDDEN/) });
    const person = await runCli(['people', 'add', 'eva', '--key', ...url], withKey(ann));
    expect(person).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: expect.stringMatching(/^FORBIDDEN: .*hub's machine/),
    });
  });

  it('on a hub in open mode names the command that makes the first key', async () => {
    const open = await startHubInProcess();
    const refused = await runCli(['keys', 'create', '--agent', 'x', '--url', open.url]);
    expect(refused.stderr).toMatch(/^FORBIDDEN: .*\nOn the hub's machine: coterie keys create/);
  });
});

it.each([
  [['create'], /^USAGE: keys create needs --agent NAME, or --observer/],
  [['create', '--agent', 'x', '--observer'], /^USAGE: An observer has no name/],
  [['create', '--agent', 'x', '--expires', '30'], /^USAGE: --expires was given '30'/],
  [['create', '--agent', 'x', '--expires', '999999999d'], /^USAGE: --expires was given/],
  [['create', '--agent', 'x', '--expires', '2020-01-01'], /^INVALID_INPUT: expiresAt: is in the past/],
  [['create', '--agent', 'x', '--capabilities', 'send,root'], /^USAGE: --capabilities was given 'send,root'/],
  [['create', '--agent', 'system'], /^ID_RESERVED/],
  [['revoke'], /^USAGE: keys revoke needs the id of a key/],
  [['revoke', 'nonsense'], /^USAGE: That is not the id of a key/],
  [['revoke', 'aaaaaaaaaaaa'], /^KEY_UNKNOWN/],
  [['rotate', 'aaaaaaaaaaaa', '--overlap', '31d'], /^USAGE: --overlap was given '31d'/],
  [['revok', 'x'], /^USAGE: 'revok' is not a verb[^]*Did you mean coterie keys revoke\?/],
])('coterie keys %j is refused', async (args, said) => {
  const refused = await coterie('keys', ...args);
  expect(refused.stderr).toMatch(said);
  expect(refused).toMatchObject({ stdout: '' });
  expect(refused.exitCode).toBeGreaterThan(0);
});

it('nothing that was refused has made a key', async () => {
  const { keys } = JSON.parse((await coterie('keys', 'list', '--json')).stdout);
  const names = keys.map(({ agentId }: { agentId: string | null }) => agentId);
  expect(new Set(names)).toEqual(new Set(['ann', 'ben', 'cleo', 'dan']));
});
