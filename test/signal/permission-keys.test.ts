// A permission prompt at a hub with keys: a verified device or a person's key decides, an agent's key does not.
import { beforeAll, expect, it } from 'vitest';
import { output, runCli } from '../cli/run-cli.js';
import { agentRights, useKeyedHub } from '../support/keyed-hub.js';
import { tempFolder } from '../support/temp-folder.js';
import type { TestDevice } from '../support/test-device.js';
import { claudePrompt, person, promptOn, startHook, verifiedDevice } from './permission-rig.js';

const { hub, key, makePerson } = useKeyedHub({ builder: agentRights });
let phone: TestDevice;
let personKey = '';

beforeAll(async () => {
  personKey = (await makePerson(person)).text;
  phone = await verifiedDevice(hub.url, { key: personKey });
});

it('is decided with a person’s key, and not with an agent’s', async () => {
  const env = { COTERIE_KEY: key('builder') };
  const hook = startHook({ url: hub.url, home: tempFolder(), stdin: claudePrompt('npm publish'), env });
  const { id, from } = await promptOn(hub.url, phone);
  expect(from).toBe('builder');
  const answer = ['answer', id, '--option', '1', '--url', hub.url];
  expect((await runCli(answer, { env })).exitCode).toBeGreaterThan(3);
  await output(answer, { env: { COTERIE_KEY: personKey } });
  const decision = { behavior: 'allow' };
  expect(JSON.parse((await hook.end()).stdout)).toEqual({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
  });
});
