// Calls every method of the store that questions, devices, channels and pushes use.
import { Client } from 'pg';
import { limits } from '../../dist/contract/limits.js';
import type { Store } from '../../dist/ports/store.js';
import { cliAudit } from '../support/cli-audit.js';

interface Place {
  sessionId: string;
  at: number;
  /** Of the database. */
  url: string;
}

export async function walkSignal(store: Store, place: Place): Promise<void> {
  for (const walk of [signals, signalKeys, devices, channels]) await walk(store, place);
}

async function signals(store: Store, { sessionId, at }: Place): Promise<void> {
  for (const to of [['pat'], null]) await store.signalRecipients({ sessionId, to });
  const common = {
    sessionId,
    sender: 'ann',
    people: ['pat'],
    level: 'none',
    priority: 'normal',
    alertType: null,
  } as const;
  const texts = { body: { form: 'plain', json: '{}' }, defaultAnswer: null, callHash: null, optionCount: 0 } as const;
  const places = { threadId: 'label', inReplyTo: null, projectId: null, label: null } as const;
  const signal = { ...common, ...texts, ...places, kind: 'question', askedAt: at } as const;
  const key = { key: 'k', mac: 'm' };
  for (const id of ['q-100000', 'q-100000'])
    await store.addSignal({ sessionId, signal: { ...signal, people: ['pat'], id, expiresAt: null }, key });
  for (const [id, expiresAt] of Object.entries({ 'q-200000': at + 1, 'q-300000': null })) {
    await store.addSignal({
      sessionId,
      signal: { ...signal, people: ['pat'], id, expiresAt, inReplyTo: 'q-100000' },
      key: null,
    });
  }
  await store.findSignal({ sessionId, id: 'q-100000' });
  await store.agentNames({ sessionId, ids: ['ann'] });
  const page = { sessionId, now: at, limit: 1, kinds: 'questions' } as const;
  for (const of of ['ann', null]) {
    for (const status of ['pending', 'expired', 'answered', null] as const) {
      await store.listSignals({ ...page, of, status, before: null });
      await store.listSignals({ ...page, of, status, before: [at, 'q-2'] });
    }
    await store.listSignals({ ...page, of, kinds: 'alerts', status: null, before: null });
  }
  const end = { status: 'answered', by: 'pat', on: null, answer: null } as const;
  await store.endSignal({ sessionId, id: 'q-100000', at, end });
  await store.sessionsWithDueSignals({ now: at + 2 });
  await store.expireSignals({ sessionId, now: at + 2 });
  await store.pruneSignals({ sessionId, before: at + 10 });
}

async function signalKeys(store: Store, { sessionId, at }: Place): Promise<void> {
  const publicKeys = { kid: 'kid', encryption: 'e', signing: 's' };
  await store.claimHubIdentity({ identity: { ...publicKeys, vapid: 'v' }, at });
  await store.findHubIdentity();
  for (let made = 0; made <= limits.agentKeys; made += 1) {
    await store.saveAgentKey({ sessionId, agentId: 'ann', keys: { ...publicKeys, kid: `kid-${made}` }, at: at + made });
  }
  await store.findAgentKey({ sessionId, agentId: 'ann', kid: 'kid-0' });
  await store.findDeviceByKid({ sessionId, kid: 'kid' });
  await store.peopleWithDevices({ after: null, limit: 5 });
  await store.hubLevelSignals({ sessionId, personId: 'pat', since: 0, limit: 5 });
  const bodies = { level: 'hub' as const, body: { form: 'box' as const, box: 'b' }, defaultAnswer: null, answer: null };
  await store.replaceBodies({ sessionId, id: 'q-none', from: bodies, to: bodies });
}

async function devices(store: Store, { sessionId, at }: Place): Promise<void> {
  const expiresAt = at + 1e6;
  const pairing = { sessionId, personId: 'pat', claimHash: 'c', codeHash: 'h', at, createdBy: 'pat', expiresAt };
  for (const id of ['pabc1', 'pabd1']) await store.startPairing({ ...pairing, id });
  const device = (id: string) => ({ id, name: 'Phone', kid: id, encryption: 'e', signing: 's', mac: null });
  const signIn = (id: string) => ({ id, hash: 'h', expiresAt });
  const pair = { at, address: '', device: device('d1') };
  await store.redeemPairing({ ...pair, signIn: signIn('s1'), proof: { id: 'pabc1', claimHash: 'c' } });
  await store.redeemPairing({ ...pair, signIn: signIn('s2'), proof: { idPrefix: 'pabd', codeHash: 'h' } });
  await store.pairLocally({ ...pair, device: device('d2'), signIn: signIn('s3'), sessionId, personId: 'pat' });
  await store.findPairing({ id: 'pabc1' });
  await store.findDevice({ id: 'd1' });
  for (const people of [['pat'], null]) await store.listDevices({ sessionId, people });
  await store.signInDevice({ deviceId: 'd1', signIn: signIn('s4'), at });
  await store.signOutDevice({ keyId: 's4' });
  for (const change of [{ kind: 'rename', name: 'Old' }, { kind: 'verify' }, { kind: 'revoke' }] as const) {
    await store.changeDevice({ sessionId, id: 'd1', personId: 'pat', change, at, audit: cliAudit(sessionId) });
  }
}

async function channels(store: Store, place: Place): Promise<void> {
  const { sessionId, at } = place;
  const person = { sessionId, personId: 'pat' };
  const channel = { ...person, id: 'c1', deviceId: null, kind: 'ntfy', label: 'ntfy', settings: 'box' } as const;
  await store.saveChannel({ ...channel, createdAt: at, replaces: 'c0' });
  await store.saveChannel({ ...channel, id: 'c2', createdAt: at, replaces: null });
  for (const personId of ['pat', null]) await store.listChannels({ sessionId, personId });
  for (const fault of ['x', null]) await store.noteChannel({ sessionId, id: 'c1', at, fault });
  await store.setPersonPrefs({ ...person, prefs: { quietHours: null } });
  await store.readPersonPrefs(person);
  await insertPushes(place);
  for (const outcome of [
    { kind: 'later', delayMs: 0, at, fault: 'x' },
    { kind: 'sent', at },
    { kind: 'gone' },
  ] as const) {
    const [push] = await store.takePushes({ now: at, leaseMs: 1_000, token: 'p', limit: 1 });
    await store.settlePush({ sessionId, id: push?.id ?? '', token: 'p', outcome });
  }
  await store.countPushes();
  await store.removeChannel({ sessionId, id: 'c2' });
}

/** As a question does it. */
async function insertPushes({ at, url }: Place): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(
    `insert into signal (session_id, id, kind, sender, status, level, priority, option_count, body, asked_at)
     values ('s', 'q-1', 'question', 'ann', 'pending', 'none', 'normal', 0, '{}', 1)`,
  );
  for (const id of ['c1', 'c2'])
    await client.query(
      `insert into push (session_id, id, signal_id, channel_id, due_at, attempts, expires_at)
       values ('s', $1, 'q-1', $1, 1, 0, ${at + 1e9})`,
      [id],
    );
  await client.end();
}
