// coterie init and keys: no file that it writes contains one, least of all a file of a project.
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { cleanUpAfter } from '../support/clean-up.js';
import { newUser } from '../support/new-user.js';
import { tempFolder } from '../support/temp-folder.js';
import { output, runCli, startCli } from '../cli/run-cli.js';

const clients = ['claude', 'codex', 'opencode', 'gemini', 'cursor', 'vscode'];

/** A user whose own hub has keys, and runs. */
async function userWithKey() {
  const { env, own, project } = newUser();
  const cwd = project('shop');
  const key = (await output(['keys', 'create', '--agent', 'ann'], { env, cwd })).trim();
  const serving = startCli(['serve', '--port', '0'], { env, cwd: tempFolder() });
  cleanUpAfter(() => serving.end('SIGKILL'));
  await serving.shows(/^coterie ready /m);
  const url = /ready (\S+)/.exec(serving.stdout())?.[1] ?? '';
  const init = (...args: string[]) => runCli(['init', ...args, '--yes'], { env: { ...env, COTERIE_KEY: key }, cwd });
  const texts = () =>
    readdirSync(cwd, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(cwd, path)).isFile())
      .map((path) => readFileSync(join(cwd, path), 'utf8'))
      .join('\n');
  return { env, own, cwd, key, url, init, texts };
}

it('a client of a hub with keys is told where to find its key, and the key is in no file', async () => {
  const { key, url, init, texts, cwd } = await userWithKey();
  for (const client of clients) {
    const { exitCode, stdout, stderr } = await init(client, '--project', '--url', url);
    expect({ client, exitCode }).toEqual({ client, exitCode: 0 });
    expect(stdout + stderr).not.toContain(key);
    expect(stderr).toMatch(/No file contains a key\. Set COTERIE_KEY[^]*--key-file FILE/);
  }
  expect(texts()).not.toContain(key);
  expect(texts()).not.toMatch(/coterie_[a-z0-9]{12}_/);
  const json = (path: string) => JSON.parse(readFileSync(join(cwd, path), 'utf8'));
  expect(json('.claude/skills/coterie/.mcp.json').mcpServers.coterie).toEqual({
    type: 'http',
    url: `${url}/mcp`,
    headers: { Authorization: 'Bearer ${COTERIE_KEY}' },
  });
  expect(readFileSync(join(cwd, '.codex/config.toml'), 'utf8')).toBe(
    `[mcp_servers.coterie]\nurl = "${url}/mcp"\nbearer_token_env_var = "COTERIE_KEY"\n`,
  );
  expect(json('.vscode/mcp.json').inputs).toMatchObject([{ type: 'promptString', password: true }]);
  await init('vscode', '--project', '--url', url);
  expect(json('.vscode/mcp.json').inputs).toHaveLength(1);
});

it('a key in a file is named by its file, which must be the user’s alone', async () => {
  const { key, init, texts, cwd, url, own } = await userWithKey();
  const file = join(tempFolder(), 'ann.key');
  writeFileSync(file, key, { mode: 0o600 });
  expect(await init('opencode', '--project', '--key-file', relative(cwd, file), '--url', url)).toMatchObject({
    exitCode: 0,
  });
  expect(JSON.parse(readFileSync(join(cwd, 'opencode.json'), 'utf8')).mcp.coterie.command.slice(-5)).toEqual([
    'mcp',
    '--key-file',
    file,
    '--url',
    url,
  ]);
  expect(texts()).not.toContain(key);
  const { clients: kept } = JSON.parse(readFileSync(join(own, 'init.json'), 'utf8'));
  expect(Object.values(kept)).toMatchObject([{ keyFile: file }]);
  chmodSync(file, 0o644);
  expect(await init('codex', '--project', '--key-file', file)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('other users can read'),
  });
});

it('a hub that is named must answer, because it decides whether a key is needed', async () => {
  const { env, project } = newUser();
  const cwd = project('shop');
  const refused = await runCli(['init', 'codex', '--project', '--yes', '--url', 'http://127.0.0.1:9'], { env, cwd });
  expect(refused).toMatchObject({
    exitCode: 6,
    stderr: expect.stringContaining('No hub answers at http://127.0.0.1:9'),
  });
  expect(readdirSync(cwd)).toEqual([]);
});
