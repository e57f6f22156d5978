// coterie channels, and what doctor says of them.
import { beforeAll, expect, it } from 'vitest';
import { call } from '../support/http-call.js';
import { startHubInProcess, type HubInProcess } from '../support/hub-in-process.js';
import { startRecordingServer, type RecordingServer } from '../support/recording-server.js';
import { runCli } from './run-cli.js';

let server: RecordingServer;
let hub: HubInProcess;
beforeAll(async () => {
  server = await startRecordingServer();
  hub = await startHubInProcess({ args: ['--push-hosts', server.host] });
});
const run = (...args: string[]) => runCli([...args, ...hub.flags]);
/** Its id. */
const addTopic = async (topic: string): Promise<string> => {
  const input = { kind: 'ntfy', server: server.url, topic };
  return (await call(hub.url, 'set_channel', input, { agent: 'me' })).channel.id;
};

it('adds a topic, or a webhook with its secret', async () => {
  const added = await run('channels', 'add', 'ntfy', 'kim-7f3c9a41e0', '--server', server.url);
  const words = /^Added c\w+, ntfy to 127\.0\.0\.1:\d+\/kim…/;
  expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(words) });
  const hook = await run('channels', 'add', 'webhook', `${server.url}/hook`, '--json');
  expect(JSON.parse(hook.stdout)).toMatchObject({ success: true, secret: expect.stringMatching(/^[\w-]{43}$/) });
});

it('tests a channel, and lists its fault, which doctor names too', async () => {
  const id = await addTopic('tested');
  const works = { exitCode: 0, stdout: `${id} works: the service answered 200.\n` };
  expect(await run('channels', 'test', id)).toMatchObject(works);
  server.answer(403);
  const failed = await run('channels', 'test', id);
  expect(failed).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('answered 403') });
  const listed = await run('channels', 'list');
  expect(listed.stdout).toMatch(new RegExp(`${id} +me +ntfy [^]*${id}: The service answered 403`));
  const doctor = await run('doctor', '--json');
  const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string }[] };
  const found = checks.find(({ name }) => name === 'channel');
  expect(found).toMatchObject({ state: 'wrong', fix: expect.stringContaining(id) });
});

it('removes a channel once', async () => {
  const id = await addTopic('removed');
  expect(await run('channels', 'remove', id)).toMatchObject({ exitCode: 0, stdout: `Removed ${id}.\n` });
  const again = { exitCode: 4, stderr: expect.stringMatching(/^CHANNEL_UNKNOWN: /) };
  expect(await run('channels', 'remove', id)).toMatchObject(again);
});

it.each([
  [['channels', 'add', 'pigeon', 'x'], 'channels add needs a kind and a target'],
  [['channels', 'test'], 'channels test needs the id of a channel'],
  [['channels', 'ad'], "'ad' is not a verb of coterie channels"],
  [['channels', 'add', 'ntfy', 'x', '--token-file', '/none'], "Cannot read '/none'"],
])('%j is refused with what to write', async (args, words) => {
  expect(await runCli(args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(words) });
});
