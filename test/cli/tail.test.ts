// coterie tail, and waiting, across the restarts of a hub.
import { describe, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { startHubProcess } from '../support/hub-process.js';
import { parkedAt } from '../support/metrics.js';
import { startCli } from './run-cli.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

const at = (session: string, { data }: { data: string } = hub) => ['--data', data, '--session', session];
const say = (
  session: string,
  message: string,
  { to = 'ann', at: { url } = hub }: { to?: string; at?: { url: string } } = {},
) => call(url, 'send_message', { target: to, message }, { agent: 'ann', session });

describe('coterie tail', () => {
  it('shows what is said from now on, as it is said', async () => {
    await call(hub.url, 'register_agent', {}, { agent: 'ben', session: 'live' });
    await say('live', 'before');
    const tail = startCli(['tail', ...at('live')]);
    await tail.shows(/Following live at/);
    await say('live', 'after', { to: 'ben' });
    await tail.shows(/after/);
    const { stdout } = await tail.end('SIGINT');
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}ma2\w+ +ann → ben +after\n$/);
  });

  it('shows the titles of threads, and their ids as JSON', async () => {
    const ann = { agent: 'ann', session: 'titles' };
    const ids: string[] = [];
    for (const title of ['Nightly', 'Release\n1.4']) {
      const { threadId } = await call(hub.url, 'create_thread', { title, initial_message: 'x' }, ann);
      await call(hub.url, 'send_message', { threadId, message: 'y' }, ann);
      ids.push(threadId);
    }
    const tail = startCli(['tail', ...at('titles'), '--after', '0']);
    await tail.shows(/1\.4”.* y\n/);
    const { stdout } = await tail.end('SIGINT');
    const who = stdout
      .trimEnd()
      .split('\n')
      .map((line) => /^\S+ +\w+ +(.*?) +[xy]$/.exec(line)?.[1]);
    expect(who).toEqual(['ann in “Nightly”', 'ann in “Nightly”', 'ann in “Release 1.4”', 'ann in “Release 1.4”']);
    const asJson = startCli(['tail', ...at('titles'), '--after', '0', '--json']);
    await asJson.shows(/"y"[^]*"y"/);
    const lines = (await asJson.end('SIGINT')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([0, 0, 1, 1].map((at_) => ({ threadId: ids[at_] })));
  });

  it('prints a line of JSON per message, from a place in the past and of one sender', async () => {
    await call(hub.url, 'register_agent', {}, { agent: 'ben', session: 'past' });
    for (const text of ['one', 'two', 'three']) await say('past', text, { to: 'ben' });
    await call(hub.url, 'send_message', { target: 'ann', message: 'not this' }, { agent: 'ben', session: 'past' });
    const tail = startCli(['tail', ...at('past'), '--after', '1', '--from', 'ann', '--json']);
    await tail.shows(/three/);
    const { stdout, stderr } = await tail.end('SIGTERM');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { seq: 2, content: [{ text: 'two' }] },
      { seq: 3, content: [{ text: 'three' }] },
    ]);
    expect(stderr).toBe('');
  });

  it('goes on where it was when the hub is back at another port', async () => {
    const first = await startHubProcess();
    const { data } = first;
    await say('restart', 'one', { at: first });
    const tail = startCli(['tail', ...at('restart', first), '--after', '0']);
    await tail.shows(/one/);
    await first.stop();
    await tail.shows(/Connection to the hub lost/);
    const second = await startHubProcess({ data });
    // Whether or not the follower is back yet: nothing said meanwhile may be missed, or come twice.
    await say('restart', 'two', { at: second });
    await tail.shows(/Reconnected to[^]*two|two[^]*Reconnected to/);
    await second.kill();
    await say('restart', 'three', { at: await startHubProcess({ data }) });
    await tail.shows(/three/);
    const { stdout } = await tail.end('SIGINT');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ').at(-1)),
    ).toEqual(['one', 'two', 'three']);
  });

  it('ends quietly when its reader has seen enough', async () => {
    await say('head', 'one');
    const tail = startCli(['tail', ...at('head'), '--after', '0', '--json']);
    await tail.shows(/one/);
    tail.child.stdout.destroy();
    await say('head', 'two');
    expect(await tail.end()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('coterie wait', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('goes on waiting when the hub ends by %s and comes back', async (signal) => {
    const first = await startHubProcess();
    await call(first.url, 'register_agent', {}, { agent: 'ben', session: signal });
    const waiting = startCli(['wait', ...at(signal, first), '--as', 'ben', '--timeout', '20s', '--json']);
    await parkedAt(first, 1);
    await (signal === 'SIGTERM' ? first.stop() : first.kill());
    await say(signal, 'still there?', { to: 'ben', at: await startHubProcess({ data: first.data }) });
    const { exitCode, stdout } = await waiting.end();
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ messages: [{ content: [{ text: 'still there?' }] }] });
  });
});
