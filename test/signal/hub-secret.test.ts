import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../dist/contract/limits.js';
import { openSecret } from '../../dist/signal/seal/hub-secret.js';
import { findSecret } from '../../dist/signal/seal/secret-file.js';
import { startHubInProcess } from '../support/hub-in-process.js';
import { tempFolder } from '../support/temp-folder.js';

const newPlace = () => ({ text: null, file: join(tempFolder(), 'hub-secret'), mayMake: true });
const bytes = (fill: number) => new Uint8Array(32).fill(fill);

describe('the file of the hub’s secret', () => {
  it('is made once, for this user alone, and nothing is left beside it', () => {
    const place = newPlace();
    const { secret } = findSecret(place);
    expect(secret).toHaveLength(32);
    expect(findSecret(place).secret).toEqual(secret);
    expect(statSync(place.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(place.file, '..'))).toEqual(['hub-secret']);
  });

  it('is the same for hubs that start at once', async () => {
    const { file } = newPlace();
    const module = new URL('../../dist/signal/seal/secret-file.js', import.meta.url).href;
    const script = `const { findSecret } = await import('${module}');
      const { secret } = findSecret({ text: null, file: process.argv[1], mayMake: true });
      process.stdout.write(Buffer.from(secret).toString('hex'));`;
    const found = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script, file]);
        let out = '';
        for await (const chunk of child.stdout) out += String(chunk);
        return out;
      }),
    );
    expect(new Set(found).size).toBe(1);
    expect(found[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('may be named, and is then neither made nor replaced', () => {
    const place = { ...newPlace(), mayMake: false };
    expect(() => findSecret(place)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    mkdirSync(join(place.file, '..'), { recursive: true });
    writeFileSync(place.file, 'my secret that is not one');
    expect(() => findSecret(place)).toThrow(/does not hold a hub's secret/);
    expect(() => findSecret(place)).not.toThrow(/my secret/);
    writeFileSync(place.file, `${'ab'.repeat(32)}\n`);
    expect(findSecret(place).secret).toEqual(bytes(0xab));
  });

  it.skipIf(process.geteuid === undefined)('is reported when others can read it', () => {
    const place = newPlace();
    expect(findSecret(place).warning).toBeUndefined();
    chmodSync(place.file, 0o644);
    expect(findSecret(place).warning).toMatch(/chmod 600/);
  });

  it('is not needed with COTERIE_HUB_SECRET', () => {
    const place = { ...newPlace(), text: Buffer.from(bytes(7)).toString('base64url') };
    expect(findSecret(place)).toMatchObject({ secret: bytes(7), from: 'COTERIE_HUB_SECRET' });
  });
});

describe('what is derived from the secret', () => {
  it('is the same for the same secret, and different for each use', async () => {
    const [one, same, other] = [await openSecret(bytes(1)), await openSecret(bytes(1)), await openSecret(bytes(2))];
    expect(same.identity).toEqual(one.identity);
    expect(other.identity.kid).not.toBe(one.identity.kid);
    const { encryption, signing, vapid } = one.identity;
    expect(new Set([encryption, signing, vapid]).size).toBe(3);
    expect(one.vapidKey.type).toBe('private');
    expect(one.mac('challenge', 'x')).toBe(same.mac('challenge', 'x'));
    expect(one.mac('challenge', 'x')).not.toBe(one.mac('code', 'x'));
    expect(one.mac('challenge', 'x')).not.toBe(other.mac('challenge', 'x'));
  });

  it('opens boxes of its own, for their use, unchanged', async () => {
    const [one, other] = [await openSecret(bytes(1)), await openSecret(bytes(2))];
    const box = one.box('signal', 'Deploy?');
    expect(box).not.toBe(one.box('signal', 'Deploy?'));
    expect(one.unbox('signal', box)).toBe('Deploy?');
    for (const open of [
      () => one.unbox('channel', box),
      () => other.unbox('signal', box),
      () => one.unbox('signal', `${box.slice(0, 20)}${box[20] === 'A' ? 'B' : 'A'}${box.slice(21)}`),
      () => one.unbox('signal', 'AAAA'),
    ]) {
      expect(open).toThrow();
    }
  });
});

describe('a hub', () => {
  it('keeps its secret out of the store, which knows the public half', async () => {
    const hub = await startHubInProcess();
    const { secret } = findSecret({ text: null, file: join(hub.data, 'hub-secret'), mayMake: false });
    const { identity } = await openSecret(secret);
    await hub.store.claimHubIdentity({ identity, at: 1 });
    expect(await hub.store.findHubIdentity()).toEqual(identity);
    const others = { ...identity, kid: 'another' };
    expect(await hub.store.claimHubIdentity({ identity: others, at: 2 })).toEqual(identity);
  });

  it('keeps of an agent the newest of its programs’ keys', async () => {
    const { store } = await startHubInProcess();
    const of = { sessionId: 'default', agentId: 'ann' };
    for (let made = 0; made <= limits.agentKeys; made += 1) {
      await store.saveAgentKey({ ...of, keys: { kid: `kid-${made}`, encryption: 'e', signing: 's' }, at: made });
    }
    expect(await store.findAgentKey({ ...of, kid: 'kid-0' })).toBeNull();
    expect(await store.findAgentKey({ ...of, kid: 'kid-1' })).toMatchObject({ agentId: 'ann', encryption: 'e' });
    expect(await store.findAgentKey({ ...of, agentId: 'ben', kid: 'kid-1' })).toBeNull();
  });

  it('that has another secret than its database serves messages, and says so', async () => {
    const first = await startHubInProcess();
    const { identity } = await openSecret(bytes(9));
    await first.store.claimHubIdentity({ identity, at: 1 });
    await first.stop();
    const hub = await startHubInProcess({ data: first.data });
    expect(hub.logged).toContain('hub_secret_mismatch');
    expect(await (await fetch(`${hub.url}/readyz`)).json()).toEqual({ status: 'ready', signal: 'HUB_SECRET_MISMATCH' });
    expect(await (await fetch(`${hub.url}/metrics`)).text()).toContain('\ncoterie_hub_secret_mismatch 1\n');
    const main = new URL('../../dist/cli/main.js', import.meta.url).pathname;
    const stdout = await new Promise((resolve) => {
      execFile(process.execPath, [main, 'doctor', '--url', hub.url], (_, out) => resolve(out));
    });
    expect(stdout).toMatch(/wrong +secret +the hub has another secret than its database/);
  });
});
