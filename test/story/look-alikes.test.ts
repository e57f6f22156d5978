// Nobody registers under a name that is taken for the hub's, or for another's in a different case.
import { describe, expect, it } from 'vitest';
import { looksLikeSystem } from '../../dist/contract/input/look-alike.js';
import { call, post } from '../support/http-call.js';
import { useHub } from '../support/use-hub.js';

const hub = useHub();

describe('a name that looks like the hub’s', () => {
  it.each([
    'system',
    'System',
    'SYSTEM',
    'ѕуѕtem',
    'ＳＹＳＴＥＭ',
    'sys\u200btem',
    's y s t e m',
    '5ystem',
    '$ystem',
    'systern',
    'sýstem',
    '🅂🅈🅂🅃🄴🄼',
    '🆂🆈🆂🆃🅴🅼',
    '[system]:',
    'sys\u202etem',
  ])('%s is one', (name) => {
    expect(looksLikeSystem(name)).toBe(true);
  });

  it.each(['systems', 'sys', 'subsystem', 'ecosystem', 'System test', 'Ann', '', '漢字', 'Ünï'])(
    '%s is none',
    (name) => {
      expect(looksLikeSystem(name)).toBe(false);
    },
  );

  it.each([
    ['an id', 'register_agent', { agentId: 'SYSTEM' }],
    ['an id with a digit', 'register_agent', { agentId: 'sy5tem' }],
    ['a name', 'register_agent', { agentId: 'mallory', agentName: 'system' }],
    ['a name in other letters', 'register_agent', { agentId: 'mallory', agentName: 'ѕуѕtem' }],
    ['a group', 'set_group', { name: 'System', members: [] }],
  ])('is refused as %s', async (_, operation, input) => {
    const { body } = await post(hub.url, operation, input, { session: 'look-alikes' });
    expect(body).toMatchObject({ error: { code: 'ID_RESERVED' } });
  });

  it('is refused as a later name', async () => {
    const session = 'later-name';
    await call(hub.url, 'register_agent', { agentId: 'ann' }, { session });
    const { body } = await post(hub.url, 'register_agent', { agentId: 'ann', agentName: 'System' }, { session });
    expect(body).toMatchObject({ error: { code: 'ID_RESERVED' } });
    expect((await call(hub.url, 'list_agents', {}, { session })).agents).toMatchObject([{ id: 'ann', name: 'ann' }]);
  });
});

describe('ids that differ in case alone', () => {
  it('clash, and the error names the one that is there', async () => {
    const session = 'case';
    await call(hub.url, 'register_agent', { agentId: 'Ann' }, { session });
    const { body } = await post(hub.url, 'register_agent', { agentId: 'aNN' }, { session });
    expect(body).toMatchObject({ error: { code: 'ID_TAKEN', details: { existing: 'Ann' } } });
    for (const agentId of ['Builders', 'ALL']) {
      const taken = await post(hub.url, 'register_agent', { agentId }, { session });
      expect(taken.body).toMatchObject({ error: { code: 'ID_TAKEN' } });
    }
    await call(hub.url, 'register_agent', { agentId: 'Ann', description: 'again' }, { session });
    await call(hub.url, 'register_agent', { agentId: 'aNN' }, { session: 'case-of-another' });
  });

  it('clash when they come at once', async () => {
    const session = 'case-at-once';
    const ids = ['ann', 'Ann', 'ANN', 'aNN', 'anN', 'AnN'];
    await Promise.all(ids.map((agentId) => post(hub.url, 'register_agent', { agentId }, { session })));
    expect((await call(hub.url, 'list_agents', {}, { session })).agents).toHaveLength(1);
  });
});
