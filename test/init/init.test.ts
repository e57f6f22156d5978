// coterie init on homes with real files of clients: what it writes, what it leaves alone, and that it can be taken back.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newUser } from '../support/new-user.js';
import { runCli, type Ended } from '../cli/run-cli.js';

/** A user with these files in the home; only the named clients are there. */
function userWith(files: Record<string, string> = {}) {
  const { env, own, project } = newUser();
  const home = env['HOME'] ?? '';
  const cwd = project('shop');
  const bin = project('bin');
  // Nothing of this machine is found.
  const alone = { ...env, PATH: bin, XDG_CONFIG_HOME: '' };
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const init = (...args: string[]): Promise<Ended> => runCli(['init', ...args], { env: alone, cwd });
  const read = (path: string) => readFileSync(join(home, path), 'utf8');
  /** Every file of the home but those of the hub, with its content. */
  const all = () => {
    const paths = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('share'));
    return Object.fromEntries(
      paths.map((path) => [path, lstatSync(join(home, path)).isFile() ? read(path) : 'folder']),
    );
  };
  return { env: alone, home, own, cwd, bin, put, init, read, all };
}

const clients: Record<string, Record<string, string>> = {
  claude: { '.claude/settings.json': '{"model":"opus"}\n', '.claude/CLAUDE.md': '# Mine\r\n\r\nBe brief.' },
  codex: {
    '.codex/config.toml': '\ufeff# mine\r\nmodel = "gpt" # best\r\n\r\n[mcp_servers.docs]\r\nurl = "http://docs"\r\n',
    '.codex/hooks.json': '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}',
  },
  opencode: {
    '.config/opencode/opencode.jsonc':
      '{\n  // which\n  "mcp": { "docs": { "type": "remote", "url": "x" } }, // kept\n}\n',
  },
  gemini: { '.gemini/settings.json': '{\n\t"ui": {"theme": "x"}\n}' },
  cursor: { '.cursor/mcp.json': '{"mcpServers":{}}' },
  vscode: { '.config/Code/User/mcp.json': '{\n  "servers": {\n    "docs": { "url": "x" }\n  }\n}\n' },
  copilot: { '.copilot/mcp-config.json': '{\n  "mcpServers": {}\n}\n' },
};
const allFiles = Object.assign({}, ...Object.values(clients)) as Record<string, string>;

describe('coterie init', () => {
  it.each(Object.keys(clients))('connects %s once, keeps what was there, and takes it back', async (client) => {
    const user = userWith(clients[client]);
    const before = user.all();
    const first = await user.init(client, '--agent', 'builder', '--yes');
    expect(first).toMatchObject({ exitCode: 0 });
    const after = user.all();
    expect(after).not.toEqual(before);
    for (const [path, text] of Object.entries(clients[client] ?? {})) {
      for (const word of text.match(/[^\s{}[\](),]+/g) ?? []) expect(after[path]).toContain(word);
    }
    const again = await user.init(client, '--yes');
    expect(again).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });
    expect(user.all()).toEqual(after);
    expect(await user.init(client, '--undo', '--yes')).toMatchObject({ exitCode: 0 });
    expect(user.all()).toEqual(before);
    expect(statSync(join(user.own, 'init.json')).mode & 0o077).toBe(0);
  });

  it('finds what is installed, by settings and by programs', async () => {
    const user = userWith(clients['gemini']);
    writeFileSync(join(user.bin, 'codex'), '#!/bin/sh\n');
    chmodSync(join(user.bin, 'codex'), 0o755);
    const { files } = JSON.parse((await user.init('--yes', '--json')).stdout);
    const paths = files.map(({ path }: { path: string }) => path.replace(`${user.home}/`, ''));
    expect(paths).toEqual(['.codex/config.toml', '.codex/AGENTS.md', '.gemini/settings.json', '.gemini/GEMINI.md']);
    const none = await userWith().init();
    expect(none).toMatchObject({ exitCode: 0, stdout: '' });
    expect(none.stderr).toMatch(/^No client was found[^]*Name one: coterie init CLIENT/);
  });

  it('only shows the change where nobody can be asked, and says so with its exit code', async () => {
    const user = userWith(clients['opencode']);
    const before = user.all();
    const { exitCode, stdout, stderr } = await user.init('opencode', '--agent', 'builder');
    expect(exitCode).toBe(11);
    expect(stdout).toMatch(/^~\/\.config\/opencode\/opencode\.jsonc\n[^]*\+ .*"coterie": \{/);
    expect(stdout).toContain('  // which');
    expect(stderr).toBe('Nothing was written. To write it without a question: --yes\n');
    expect(user.all()).toEqual(before);
    expect(existsSync(join(user.own, 'init.json'))).toBe(false);
  });

  it('writes the plugin that Claude Code loads by itself', async () => {
    const user = userWith();
    await user.init('claude', '--agent', 'builder', '--yes');
    const json = (path: string) => JSON.parse(user.read(`.claude/skills/coterie/${path}`));
    expect(json('.claude-plugin/plugin.json')).toMatchObject({ name: 'coterie' });
    expect(json('.mcp.json').mcpServers.coterie.args.slice(1)).toEqual(['mcp', '--agent', 'builder']);
    const { SessionStart, Stop } = json('hooks/hooks.json').hooks;
    const wake = { asyncRewake: true, timeout: 86_400, command: expect.stringMatching(/ wake hook --agent builder$/) };
    expect(SessionStart).toMatchObject([{ hooks: [wake] }]);
    expect(Stop).toMatchObject([
      { hooks: [{ command: expect.stringMatching(/ inbox --hook --as builder$/) }] },
      { hooks: [wake] },
    ]);
    expect(json('monitors/monitors.json')).toMatchObject([
      { command: expect.stringMatching(/ wake lines --agent builder/) },
    ]);
    expect(user.read('.claude/skills/coterie/commands/ask.md')).toContain('$ARGUMENTS');
    expect(user.read('.claude/CLAUDE.md')).toMatch(
      /^<!-- coterie[^\n]* -->\nYou are `builder` on Coterie[^]*<!-- \/coterie -->\n$/,
    );
    // Without a name there is no monitor, because it could not know whose mail to look for.
    await user.init('claude', '--agent', 'auto', '--yes');
    expect(existsSync(join(user.home, '.claude/skills/coterie/monitors'))).toBe(false);
    expect(user.read('.claude/CLAUDE.md')).toContain('You are an agent on Coterie');
    await user.init('claude', '--undo', '--yes');
    expect(existsSync(join(user.home, '.claude'))).toBe(false);
  });

  it('writes into the project with --project, and leaves the home alone', async () => {
    const user = userWith();
    expect(await user.init('codex', '--project', '--agent', 'builder', '--yes')).toMatchObject({ exitCode: 0 });
    const paths = Object.keys(user.all()).filter((path) => !['bin', 'shop'].includes(path));
    expect(paths.toSorted()).toEqual([
      'shop/.codex',
      'shop/.codex/config.toml',
      'shop/.codex/hooks.json',
      'shop/AGENTS.md',
    ]);
    expect(await user.init('copilot', '--project')).toMatchObject({ exitCode: 2 });
    await user.init('--project', '--undo', '--yes');
    expect(readdirSync(user.cwd)).toEqual([]);
  });

  it('clients that share a file of instructions share its paragraph, and the last one takes it back', async () => {
    const user = userWith({ 'shop/AGENTS.md': 'Ours.\n' });
    for (const client of ['codex', 'cursor']) await user.init(client, '--project', '--yes');
    expect(user.read('shop/AGENTS.md').split('on Coterie')).toHaveLength(2);
    await user.init('codex', '--project', '--undo', '--yes');
    expect(user.read('shop/AGENTS.md')).toContain('on Coterie');
    await user.init('cursor', '--project', '--undo', '--yes');
    expect(user.read('shop/AGENTS.md')).toBe('Ours.\n');
  });

  it('a folder of a hub that was named from here is the same from elsewhere', async () => {
    const user = userWith();
    await user.init('opencode', '--data', './team', '--yes');
    const command = () => JSON.parse(user.read('.config/opencode/opencode.json')).mcp.coterie.command.slice(-2);
    expect(command()).toEqual(['--data', join(user.cwd, 'team')]);
    const again = await runCli(['init', 'opencode', '--yes'], { env: user.env, cwd: user.bin });
    expect(again).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });
    expect(command()).toEqual(['--data', join(user.cwd, 'team')]);
  });

  it('runs at the same time lose nothing of the record', async () => {
    const user = userWith();
    const names = ['codex', 'gemini', 'cursor', 'opencode', 'copilot'];
    const ended = await Promise.all(names.map((client) => user.init(client, '--yes')));
    expect(ended.map(({ exitCode, stderr }) => exitCode || stderr.match(/^[A-Z_]+: .*/)?.[0])).toEqual(
      names.map(() => undefined),
    );
    const { clients: connected } = JSON.parse(readFileSync(join(user.own, 'init.json'), 'utf8'));
    expect(Object.keys(connected).toSorted()).toEqual(names.toSorted());
    await Promise.all(names.map((client) => user.init(client, '--undo', '--yes')));
    expect(Object.keys(user.all()).toSorted()).toEqual(['bin', 'shop']);
  });

  it('tells no client of a project the name of another one', async () => {
    const user = userWith();
    symlinkSync('AGENTS.md', join(user.cwd, 'CLAUDE.md'));
    writeFileSync(join(user.cwd, 'AGENTS.md'), '');
    for (const client of ['codex', 'opencode', 'claude'])
      expect(await user.init(client, '--project', '--agent', `my-${client}`, '--yes')).toMatchObject({ exitCode: 0 });
    expect(user.read('shop/AGENTS.md')).toContain('You are an agent on Coterie');
    expect(user.read('shop/AGENTS.md')).not.toMatch(/my-/);
    expect(await user.init('codex', '--project', '--yes')).toMatchObject({ stdout: 'Nothing to change.\n' });
  });

  it('takes back only its own entries where a person went on writing', async () => {
    const user = userWith(allFiles);
    expect(await user.init('--agent', 'builder', '--yes')).toMatchObject({ exitCode: 2 });
    await user.init('--yes');
    user.put('.codex/config.toml', `${user.read('.codex/config.toml')}\r\n[tui]\r\nx = 1\r\n`);
    user.put('.gemini/settings.json', user.read('.gemini/settings.json').replace('"x"', '"y"'));
    user.put('.claude/CLAUDE.md', `${user.read('.claude/CLAUDE.md')}More.\r\n`);
    await user.init('--undo', '--yes');
    expect(user.read('.codex/config.toml')).toBe(`${allFiles['.codex/config.toml']}\r\n[tui]\r\nx = 1\r\n`);
    expect(JSON.parse(user.read('.gemini/settings.json'))).toEqual({ ui: { theme: 'y' } });
    expect(user.read('.claude/CLAUDE.md')).toMatch(/^# Mine\r\n\r\nBe brief\.\r\n[^]*More\.\r\n$/);
    expect(user.read('.claude/CLAUDE.md')).not.toContain('oterie');
    expect(user.read('.cursor/mcp.json')).toBe(allFiles['.cursor/mcp.json']);
  });
});

describe('an entry that was there before', () => {
  it('comes back where a person went on writing', async () => {
    const mine = { url: 'http://mine', trust: true };
    const user = userWith({
      '.gemini/settings.json': `{\n  "mcpServers": { "coterie": ${JSON.stringify(mine)} }\n}\n`,
      '.codex/config.toml': '[mcp_servers.coterie]\nurl = "http://mine"\ntool_timeout_sec = 9\n',
    });
    for (const client of ['gemini', 'codex']) await user.init(client, '--agent', client, '--yes');
    user.put('.gemini/settings.json', user.read('.gemini/settings.json').replace('{', '{ "ui": 1,'));
    user.put('.codex/config.toml', `${user.read('.codex/config.toml')}\n[tui]\nx = 1\n`);
    // Another run in between takes nothing of it for its own.
    for (const client of ['gemini', 'codex']) await user.init(client, '--agent', `${client}-2`, '--yes');
    user.put('.gemini/settings.json', user.read('.gemini/settings.json').replace('"ui": 1', '"ui": 2'));
    user.put('.codex/config.toml', user.read('.codex/config.toml').replace('x = 1', 'x = 2'));
    await user.init('--undo', '--yes');
    expect(JSON.parse(user.read('.gemini/settings.json'))).toEqual({ ui: 2, mcpServers: { coterie: mine } });
    expect(user.read('.codex/config.toml')).toBe(
      '[mcp_servers.coterie]\nurl = "http://mine"\ntool_timeout_sec = 9\n\n[tui]\nx = 2\n',
    );
  });

  it('settings of a server of ours go with it', async () => {
    const user = userWith({ '.codex/config.toml': 'model = "x"\n' });
    await user.init('codex', '--yes');
    const added =
      '\n[mcp_servers.coterie.tools.send_message]\napproval_mode = "approve"\n\n[mcp_servers.coterie2]\nurl = "x"\n';
    user.put('.codex/config.toml', `${user.read('.codex/config.toml')}${added}`);
    await user.init('codex', '--undo', '--yes');
    expect(user.read('.codex/config.toml')).toBe('model = "x"\n\n[mcp_servers.coterie2]\nurl = "x"\n');
  });
});

describe('hooks of others beside ours', () => {
  const others = [
    { type: 'command', command: 'my-linter --all' },
    { type: 'command', command: '/home/u/coterie-tools/notify.sh wake me' },
    { type: 'command', command: 'coterie inbox --hook --as builder && say done' },
  ];

  it.each([
    ['gemini', '.gemini/settings.json', 'AfterAgent'],
    ['codex', '.codex/hooks.json', 'Stop'],
  ])('stay, in our group too, when %s is connected again and when it is undone', async (client, file, event) => {
    const user = userWith();
    await user.init(client, '--agent', 'one', '--yes');
    const settings = JSON.parse(user.read(file));
    const [group] = settings.hooks[event];
    settings.hooks[event] = [{ hooks: [others[1]] }, { matcher: 'x', hooks: [others[0], ...group.hooks, others[2]] }];
    user.put(file, JSON.stringify(settings, null, 2));
    await user.init(client, '--agent', 'two', '--yes');
    const hooksNow = JSON.parse(user.read(file)).hooks[event];
    const ours = expect.objectContaining({ command: expect.stringMatching(/ inbox --hook --as two$/) });
    expect(hooksNow).toEqual([{ hooks: [others[1]] }, { matcher: 'x', hooks: [others[0], ours, others[2]] }]);
    await user.init(client, '--undo', '--yes');
    expect(JSON.parse(user.read(file))).toEqual({
      hooks: { [event]: [{ hooks: [others[1]] }, { matcher: 'x', hooks: [others[0], others[2]] }] },
    });
  });

  it('ours is there once, whatever an earlier version wrote', async () => {
    const old = 'node "/opt/my apps/coterie/dist/cli/main.js" inbox --hook --data "/a b"';
    const item = { command: 'coterie inbox --hook --as old' };
    const user = userWith({
      '.gemini/settings.json': JSON.stringify({ hooks: { AfterAgent: [{ hooks: [{ command: old }, item] }, item] } }),
      '.cursor/hooks.json': JSON.stringify({ version: 1, hooks: { stop: [item, others[1], { command: old }] } }),
    });
    for (const client of ['gemini', 'cursor']) await user.init(client, '--agent', client, '--yes');
    const command = (name: string) => expect.stringMatching(`inbox --hook --as ${name}$`);
    expect(JSON.parse(user.read('.gemini/settings.json')).hooks.AfterAgent).toEqual([
      { hooks: [expect.objectContaining({ command: command('gemini') })] },
    ]);
    expect(JSON.parse(user.read('.cursor/hooks.json')).hooks.stop).toEqual([{ command: command('cursor') }, others[1]]);
  });
});

describe('a file that cannot be edited', () => {
  it.each([
    [
      'invalid JSON',
      'opencode',
      '.config/opencode/opencode.json',
      '{\n  "mcp": {\n    oops\n',
      /opencode\.json, line 3: .*\nMend that line/,
    ],
    [
      'invalid TOML',
      'codex',
      '.codex/config.toml',
      'model = "x"\nname = "y\n',
      /config\.toml, line 2: .*\nMend that line/,
    ],
    [
      'another form',
      'codex',
      '.codex/config.toml',
      'mcp_servers.coterie.url = "x"\n',
      /line 1: mcp_servers\.coterie is set here in another form/,
    ],
    [
      'a list in the place of an object',
      'gemini',
      '.gemini/settings.json',
      '{\n"mcpServers": []}',
      /line 2: "mcpServers" must be an object/,
    ],
    [
      'a paragraph without an end',
      'claude',
      '.claude/CLAUDE.md',
      'x\n<!-- coterie: written by `coterie init`, which updates it -->\n',
      /CLAUDE\.md, line 2: /,
    ],
  ])('is refused with the line: %s', async (_, client, path, text, says) => {
    const user = userWith({ [path]: text });
    const before = user.all();
    const { exitCode, stderr } = await user.init(client, '--yes');
    expect(stderr).toMatch(/^FILE_NOT_EDITABLE: /);
    expect(stderr).toMatch(says);
    expect(exitCode).toBe(3);
    expect(user.all()).toEqual(before);
  });

  it('is refused if it is read-only, not text, or a link that leads out of the project', async () => {
    const user = userWith({ '.codex/config.toml': 'a = 1\n', 'secret.md': 'x' });
    chmodSync(join(user.home, '.codex/config.toml'), 0o444);
    expect((await user.init('codex', '--yes')).stderr).toMatch(/config\.toml: it is read-only\.\nMake it writable/);
    writeFileSync(join(user.cwd, 'GEMINI.md'), Buffer.from([0xff, 0xfe, 0x41]));
    expect((await user.init('gemini', '--project', '--yes')).stderr).toMatch(/GEMINI\.md: it is not UTF-8/);
    symlinkSync('../secret.md', join(user.cwd, 'AGENTS.md'));
    const before = user.all();
    expect((await user.init('cursor', '--project', '--yes')).stderr).toMatch(
      /AGENTS\.md: it is a link to .*, outside of the project/,
    );
    expect(user.all()).toEqual(before);
  });

  it('stays a link, and keeps its mode', async () => {
    const user = userWith({ 'dotfiles/codex.toml': 'a = 1\n', '.codex/x': '' });
    chmodSync(join(user.home, 'dotfiles/codex.toml'), 0o640);
    symlinkSync('../dotfiles/codex.toml', join(user.home, '.codex/config.toml'));
    await user.init('codex', '--yes');
    expect(lstatSync(join(user.home, '.codex/config.toml')).isSymbolicLink()).toBe(true);
    expect(user.read('dotfiles/codex.toml')).toMatch(/^a = 1\n\n\[mcp_servers\.coterie\]\n/);
    expect(statSync(join(user.home, 'dotfiles/codex.toml')).mode & 0o777).toBe(0o640);
  });
});
