// coterie demo: a whole conversation, on a hub of its own or on the one that runs.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { runCli, startCli } from './run-cli.js';

const folder = tempFolder();

/** The demo makes its folder where it is told that temporary files go. */
const inFolder = { cwd: folder, env: { TMPDIR: folder, TEMP: folder, TMP: folder } };

describe('coterie demo', () => {
  it('prints a conversation as it happens, on a temporary hub that it ends', async () => {
    const { exitCode, stdout, stderr } = await runCli(['demo'], inFolder);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Three agents on a temporary hub at http:\S+:\n {2}ada .*\n {2}ben .*\n {2}cleo .*\n\n/);
    const speakers = [...stdout.matchAll(/^\d\d:\d\d:\d\d {2}ma\d\w+ +(\w+) /gm)].map(([, speaker]) => speaker);
    expect(speakers).toEqual(['system', 'system', 'ada', 'ben', 'cleo', 'ben', 'cleo', 'system']);
    expect(stdout).toMatch(
      /\n8 messages, 14 copies, 14 read\. [^]*The temporary hub was removed\.[^]*coterie serve\n$/,
    );
    expect(readdirSync(folder)).toEqual([]);
    const address = /http:\S+(?=:\n)/.exec(stdout)?.[0] ?? '';
    await expect(fetch(`${address}/healthz`)).rejects.toThrow();
  });

  it('uses the hub of the data folder when one runs, in a session of its own', async () => {
    const hub = await startHubProcess();
    for (const turn of [1, 2]) {
      const { exitCode, stdout } = await runCli(['demo', '--data', hub.data, '--json']);
      expect(exitCode).toBe(0);
      const messages = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(messages, `turn ${turn}`).toHaveLength(8);
      expect(messages.at(-1)).toMatchObject({ sender: 'system', sessionId: 'demo' });
    }
    const { agents } = await call(hub.url, 'list_agents', {}, { session: 'demo' });
    expect(agents.map(({ id, unread }: { id: string; unread: number }) => [id, unread])).toEqual([
      ['ada', 0],
      ['ben', 0],
      ['cleo', 0],
    ]);
    expect((await call(hub.url, 'list_agents', {})).agents).toMatchObject([{ id: 'me' }]);
    expect(await hub.stop()).toBe(0);
  });

  it('leaves a hub with keys alone', async () => {
    const hub = await startHubProcess();
    await runCli(['keys', 'create', '--agent', 'ann', '--data', hub.data]);
    await eventually('open mode is over', async () => (await fetch(`${hub.url}/metrics`)).status === 401);
    const { exitCode, stdout } = await runCli(['demo', '--data', hub.data], inFolder);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('on a temporary hub') });
  });

  it('cleans up when it is interrupted', async () => {
    const demo = startCli(['demo', '--pace', '10s'], inFolder);
    await demo.shows(/Release notes/);
    expect(await demo.end('SIGINT')).toMatchObject({ exitCode: 130, stderr: '' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
