// A hub that stops: what its clients get, what it prints, and how it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { call, post } from '../support/http-call.js';
import { cliPath, startHubProcess } from '../support/hub-process.js';
import { tempFolder } from '../support/temp-folder.js';
import { parkedAt } from '../support/metrics.js';
import { coterie } from './start-command.js';

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s answers a parked wait with what it has and exits 0',
    async (signal) => {
      const stopped = await startHubProcess();
      let stdout = '';
      stopped.child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      const waiting = post(stopped.url, 'wait_for_mentions', { timeoutMs: 600_000 }, { agent: 'ben' });
      await parkedAt(stopped, 1);
      const started = performance.now();
      stopped.child.kill(signal);
      expect(await waiting).toMatchObject({ status: 200, body: { messages: [], timedOut: true } });
      await eventually('the hub has exited', () => stopped.child.exitCode !== null || undefined);
      expect(stopped.child.exitCode).toBe(0);
      expect(performance.now() - started).toBeLessThan(10_000);
      // The ready line was read by the helper; nothing may follow it.
      expect(stdout).toBe('');
    },
  );

  it('by SIGTERM sends its clients away: answers say that their connection closes', async () => {
    const stopped = await startHubProcess();
    const wait = { method: 'POST', headers: { 'coterie-agent': 'ben' }, body: JSON.stringify({ timeoutMs: 600_000 }) };
    const waiting = fetch(`${stopped.url}/v1/wait_for_mentions`, wait);
    await parkedAt(stopped, 1);
    stopped.child.kill('SIGTERM');
    const answer = await waiting;
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await eventually('the hub has exited', () => stopped.child.exitCode !== null || undefined);
  });

  it('the ready line is the only thing on stdout, hints included', async () => {
    const data = tempFolder();
    const child = spawn(process.execPath, [cliPath, 'serve', '--port', '0', '--data', data, '--hints']);
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    await eventually('the hub is ready', () => stdout.includes('\n') || undefined);
    await call(stdout.trim().split(' ').at(-1) ?? '', 'list_agents', {}, { agent: 'ann' });
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(stdout).toMatch(/^coterie ready http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it('by coterie stop ends the hub and says so; without a hub it says that', async () => {
    const stopped = await startHubProcess();
    const first = await coterie(['stop', '--data', stopped.data]);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toBe(`stopped the hub of ${stopped.data}\n`);
    await eventually('the hub has exited', () => stopped.child.exitCode !== null || undefined);
    expect(stopped.child.exitCode).toBe(0);
    const second = await coterie(['stop', '--data', stopped.data]);
    expect(second).toMatchObject({ exitCode: 0, stdout: `no hub runs for ${stopped.data}\n` });
    rmSync(stopped.data, { recursive: true });
    expect((await coterie(['stop', '--data', stopped.data])).stdout).toContain('no hub runs');
    expect(existsSync(stopped.data)).toBe(false);
  });

  it('after kill -9, coterie stop does not signal whoever has the pid now', async () => {
    const killed = await startHubProcess();
    await killed.kill();
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    writeFileSync(join(killed.data, 'hub.json'), JSON.stringify({ pid: bystander.pid, url: killed.url }));
    expect((await coterie(['stop', '--data', killed.data])).stdout).toContain('no hub runs');
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    bystander.kill('SIGKILL');
  });
});
