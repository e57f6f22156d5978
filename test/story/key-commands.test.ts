// coterie keys and coterie people beside running hubs: the first key ends open mode, and every hub knows of a change within
// a second.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { hubsAt } from '../support/hub-team.js';
import { callWith, keyCommands, keyIn, type KeyCommand } from '../support/key-commands.js';
import { configFile } from '../support/config-file.js';
import { world } from '../support/world.js';
import { keysSeen } from '../support/keys.js';
import { tempFolder } from '../support/temp-folder.js';
import { startHubProcess } from '../support/hub-process.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();
let coterie: KeyCommand;
beforeAll(async () => {
  coterie = await keyCommands(hub.data);
});

async function statusAtEveryHub(key: string | undefined): Promise<Set<number>> {
  const answers = await Promise.all(hubsAt(hub.url).map((url) => callWith(key, url, 'list_agents')));
  return new Set(answers.map(({ status }) => status));
}

/** Within the promised second, and what the machine needs. */
async function soon(what: string, key: string | undefined, status: number): Promise<void> {
  await eventually(what, async () => [...(await statusAtEveryHub(key))].every((found) => found === status));
}

it('the first key ends open mode at every hub', async () => {
  expect(await statusAtEveryHub(undefined)).toEqual(new Set([200]));
  const made = await coterie('keys', 'create', '--agent', 'builder');
  const { id, text } = keyIn(made);
  expect(made.stderr).toContain(`key ${id} for 'builder' in session 'default': send, read, signal`);
  expect(made.stderr).toMatch(/Open mode of \S+ ends; agents now need keys\./);
  expect(made.stderr).not.toContain(text);
  await soon('every hub asks for a key', undefined, 401);
  expect(await statusAtEveryHub(text)).toEqual(new Set([200]));
  const second = await coterie('keys', 'create', '--agent', 'ben');
  expect(second.stderr).not.toContain('Open mode');
});

it('a key is bound to session, agent and capabilities', async () => {
  const made = await coterie('keys', 'create', '--agent', 'cleo', '--session', 'team-b', '--capabilities', 'read');
  const { text } = keyIn(made);
  await soon('the key works', text, 200);
  expect((await callWith(text, hub.url, 'get_notify_prefs')).body.agentId).toBe('cleo');
  const refused = await callWith(text, hub.url, 'send_message', { target: 'all', message: 'x' });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
});

it('the list shows whose keys there are, and no secret', async () => {
  const { text, id } = keyIn(await coterie('keys', 'create', '--observer', '--label', 'dashboard', '--expires', '30d'));
  const listed = await coterie('keys', 'list', '--json');
  expect(listed.stdout).not.toContain(text.slice(21));
  const { keys } = JSON.parse(listed.stdout);
  const found = keys.find((key: { id: string }) => key.id === id);
  expect(found).toMatchObject({ agentId: null, capabilities: ['observer'], label: 'dashboard', state: 'active' });
  expect(Date.parse(found.expiresAt) - Date.parse(found.createdAt)).toBe(30 * 86_400_000);
  expect(Object.keys(found)).not.toContain('hash');
  const table = (await coterie('keys', 'list')).stdout;
  expect(table).toMatch(new RegExp(`^${id} +default +\\(observer\\) +observer .* active +dashboard$`, 'm'));
  const ofTeam = JSON.parse((await coterie('keys', 'list', '--session', 'team-b', '--json')).stdout);
  expect(ofTeam.keys.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual(['team-b']);
});

it('a whole key in place of its id is understood, and never echoed', async () => {
  const { text, id } = keyIn(await coterie('keys', 'create', '--agent', 'dora'));
  await soon('the key works', text, 200);
  const revoked = await coterie('keys', 'revoke', text);
  expect(revoked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`Revoked key ${id} for 'dora'`) });
  expect(revoked.stdout + revoked.stderr).not.toContain(text.slice(21));
  await soon('the key no longer works', text, 401);
  expect((await callWith(text, hub.url, 'list_agents')).body.error.message).toBe('The key was revoked.');
  expect((await coterie('keys', 'revoke', id)).exitCode).toBe(0);
});

it('rotation gives a new key, and both work for a time', async () => {
  const old = keyIn(await coterie('keys', 'create', '--agent', 'emil', '--expires', '2d'));
  const rotated = await coterie('keys', 'rotate', old.id, '--overlap', '2s');
  const young = keyIn(rotated);
  expect(rotated.stderr).toContain(`The old key ${old.id} works until `);
  await soon('the new key works', young.text, 200);
  await eventually('the old key has expired', async () => (await statusAtEveryHub(old.text)).has(401));
  expect((await callWith(old.text, hub.url, 'list_agents')).body.error.message).toBe('The key has expired.');
  const { keys } = JSON.parse((await coterie('keys', 'list', '--json')).stdout);
  const found = keys.find((key: { id: string }) => key.id === young.id);
  expect(found).toMatchObject({ agentId: 'emil', capabilities: ['send', 'read', 'signal'] });
  expect(Date.parse(found.expiresAt) - Date.parse(found.createdAt)).toBe(2 * 86_400_000);
  const again = await coterie('keys', 'rotate', old.id);
  expect(again).toMatchObject({
    exitCode: 4,
    stdout: '',
    stderr: expect.stringMatching(/^KEY_UNKNOWN: .* is expired.*\nMake another one with `coterie keys create`/),
  });
});

describe('people', () => {
  it('are registered by the command line, with a key if asked', async () => {
    const added = await coterie('people', 'add', 'lee', '--name', 'Lee Ann');
    // A database does not tell where its hubs are.
    const link = world === 'sqlite' ? /^http\S+\/app\/pair#\S+\n$/ : /^$/;
    expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(link) });
    expect(added.stderr).toMatch(/^Registered lee, a person[^]*coterie pair --person lee/);
    expect((await coterie('people', 'list')).stdout).toMatch(/^lee +Lee Ann$/m);
    const { text } = keyIn(await coterie('people', 'add', 'lee', '--key'));
    await soon('the key works', text, 200);
    const { agents } = (await callWith(text, hub.url, 'list_agents')).body;
    expect(agents).toContainEqual(expect.objectContaining({ id: 'lee', kind: 'human' }));
  });

  it('get no key of an agent, and agents none of a person', async () => {
    await coterie('people', 'add', 'max');
    const asAgent = await coterie('keys', 'create', '--agent', 'max');
    expect(asAgent).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: expect.stringMatching(/^FORBIDDEN: 'max' is a person/),
    });
    const { text } = keyIn(await coterie('keys', 'create', '--agent', 'nora'));
    await soon('the key works', text, 200);
    const asPerson = await coterie('people', 'add', 'nora', '--key');
    expect(asPerson).toMatchObject({ exitCode: 4, stdout: '', stderr: expect.stringMatching(/^ID_TAKEN/) });
  });
});

it('a folder without a hub gets its first key before the hub starts', async () => {
  const data = tempFolder();
  const run = await keyCommands(data);
  const { text } = keyIn(await run('keys', 'create', '--agent', 'ann', '--admin'));
  const later = await startHubProcess({ data });
  expect((await callWith(undefined, later.url, 'list_agents')).body.error.code).toBe('KEY_REQUIRED');
  expect((await callWith(text, later.url, 'list_keys')).body.keys).toMatchObject([
    { agentId: 'ann', createdBy: 'cli' },
  ]);
});

it.skipIf(world !== 'sqlite')('a folder without a store gets none from a command that makes nothing', async () => {
  const data = join(tempFolder(), 'mistyped');
  const run = await keyCommands(data);
  for (const args of [
    ['keys', 'list'],
    ['keys', 'revoke', 'a'.repeat(12)],
    ['people', 'list'],
  ]) {
    expect(await run(...args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no coterie.db in'),
    });
  }
  expect(existsSync(data)).toBe(false);
});

it('keys are made while the hub commits sends, and none is lost', async () => {
  const data = tempFolder();
  const run = await keyCommands(data);
  const rates = { callsPerSecond: 100_000, callsBurst: 100_000 };
  const busy = await startHubProcess({ data, args: ['--config', configFile({ limits: rates })] });
  const admin = keyIn(await run('keys', 'create', '--agent', 'ann', '--admin')).text;
  await keysSeen(busy.url);
  expect((await callWith(admin, busy.url, 'register_agent')).status).toBe(200);
  let sent = 0;
  const over = new AbortController();
  const sending = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) {
      const { status, body } = await callWith(admin, busy.url, 'send_message', { target: 'ann', message: 'x' });
      if (status !== 200) throw new Error(JSON.stringify(body));
      sent += 1;
    }
  });
  const made: string[] = [];
  try {
    for (let round = 0; round < 3; round++) {
      const names = [0, 1].map((index) => `agent-${round}-${index}`);
      const keys = await Promise.all(names.map((name) => run('keys', 'create', '--agent', name)));
      made.push(...keys.map((each) => keyIn(each).id));
    }
  } finally {
    over.abort();
  }
  await Promise.all(sending);
  const { keys } = (await callWith(admin, busy.url, 'list_keys', { limit: 100 })).body;
  expect(keys.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(made));
  const { messages } = (await callWith(admin, busy.url, 'query_message_history', { source: 'ann', limit: 1 })).body;
  expect(sent).toBeGreaterThan(20);
  expect(messages[0].seq).toBe(sent);
});
