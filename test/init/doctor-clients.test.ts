// coterie doctor on clients: connected by init, by hand, wrongly, or not at all.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { useHubProcess } from '../support/use-hub-process.js';
import { newUser } from '../support/new-user.js';
import { runCli } from '../cli/run-cli.js';

const hub = useHubProcess();

interface Row {
  name: string;
  state: string;
  says: string;
  fix?: string;
}

function userWith(...clients: string[]) {
  const { env, project } = newUser();
  const home = env['HOME'] ?? '';
  for (const client of clients) mkdirSync(join(home, `.${client}`));
  // Of this machine only Node is found, which entries start.
  const cwd = project('shop');
  const options = { env: { ...env, PATH: join(process.execPath, '..'), XDG_CONFIG_HOME: '' }, cwd };
  return {
    home,
    init: (...args: string[]) => runCli(['init', ...args, '--yes'], options),
    async doctor(client: string): Promise<Row[]> {
      const { stdout } = await runCli(['doctor', '--url', hub.url, '--json'], options);
      return JSON.parse(stdout).checks.filter(({ name }: Row) => name === client);
    },
  };
}

it('says of a client that is not connected how to connect it', async () => {
  expect(await userWith('gemini').doctor('gemini')).toEqual([
    {
      name: 'gemini',
      state: 'ok',
      says: 'Gemini CLI is here, and not connected',
      fix: 'Connect it: coterie init gemini',
    },
  ]);
});

it('finds a connected client well: hub, name, hooks, and that no wake is known yet', async () => {
  const user = userWith('gemini');
  await user.init('gemini', '--agent', 'doctored', '--url', hub.url);
  await call(hub.url, 'register_agent', {}, { agent: 'doctored' });
  const rows = await user.doctor('gemini');
  expect(rows.map(({ state }) => state)).toEqual(rows.map(() => 'ok'));
  expect(rows.map(({ says }) => says)).toEqual([
    `Gemini CLI reaches ${hub.url} as doctored`,
    expect.stringMatching(/^the name doctored is (free|used by one program) \(active\)$/),
    'hooks and instructions are as init wrote them',
    expect.stringMatching(/no wake was confirmed yet|whether it wakes is not known/),
  ]);
});

it('finds what was changed since, and an entry that leads nowhere', async () => {
  const user = userWith('gemini', 'cursor');
  await user.init('gemini', '--agent', 'gem', '--url', hub.url);
  writeFileSync(join(user.home, '.gemini/GEMINI.md'), 'Nothing.\n');
  expect(await user.doctor('gemini')).toContainEqual({
    name: 'gemini',
    state: 'wrong',
    says: 'not as init writes it: ~/.gemini/GEMINI.md',
    fix: expect.stringContaining('coterie init gemini'),
  });
  const entry = (server: object) =>
    writeFileSync(join(user.home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { coterie: server } }));
  entry({ url: 'http://127.0.0.1:9/mcp?agent=cur' });
  expect(await user.doctor('cursor')).toMatchObject([
    { state: 'wrong', says: expect.stringContaining('no hub answers at http://127.0.0.1:9') },
  ]);
  entry({ command: 'node', args: ['/no/such/main.js', 'mcp'] });
  expect(await user.doctor('cursor')).toMatchObject([
    { state: 'wrong', says: expect.stringContaining('starts /no/such/main.js') },
  ]);
  writeFileSync(join(user.home, '.cursor/mcp.json'), '{');
  expect(await user.doctor('cursor')).toMatchObject([
    { state: 'wrong', says: expect.stringMatching(/mcp\.json, line 1/) },
  ]);
});

it('says whether Codex trusts the hook', async () => {
  const user = userWith('codex');
  await user.init('codex', '--agent', 'cody', '--url', hub.url);
  const wrong = { state: 'wrong', says: 'Codex does not trust the hook in ~/.codex/hooks.json yet' };
  expect(await user.doctor('codex')).toContainEqual(expect.objectContaining(wrong));
  const hooks = join(user.home, '.codex/hooks.json');
  appendFileSync(
    join(user.home, '.codex/config.toml'),
    `\n[hooks.state."${hooks}:stop:0:0"]\ntrusted_hash = "sha256:1"\n`,
  );
  const rows = await user.doctor('codex');
  expect(rows.map(({ state }) => state)).toEqual(rows.map(() => 'ok'));
});
