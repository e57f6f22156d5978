import { describe, expect, it } from 'vitest';
import { decideButtons } from '../src/pages/permission/decide-buttons.js';
import { beginningOf, showCall } from '../src/parts/shown-call.js';

const bash = (input: object) => ({ tool: 'Bash', input: JSON.stringify(input), cwd: '/srv/api' });

describe('a tool call', () => {
  it('shows its command first, every other argument after it, and the description as a claim', () => {
    expect(showCall(bash({ description: 'Reset.', timeout: 600, command: 'a\nb' }))).toEqual({
      title: 'Run a shell command',
      parts: [
        { name: '', lines: ['a', 'b'] },
        { name: 'timeout', lines: ['600'] },
      ],
      claim: 'Reset.',
      lineCount: 3,
    });
  });

  it('of an unknown tool is shown with all of its arguments, a description too', () => {
    const call = showCall({ tool: 'mcp__pay', input: '{"amount":5,"description":"x"}', cwd: null });
    expect(call.title).toBe('Use the tool mcp__pay');
    expect(call.parts.map(({ name }) => name)).toEqual(['amount', 'description']);
    expect(call.claim).toBeNull();
  });

  it('whose input is no object, or no JSON, is shown as it is', () => {
    expect(showCall({ tool: 'x', input: 'rm -rf', cwd: null }).parts).toEqual([{ name: '', lines: ['rm -rf'] }]);
    expect(showCall({ tool: 'constructor', input: '[1]', cwd: null }).title).toBe('Use the tool constructor');
  });

  it('that is too long is cut visibly, by lines and by characters', () => {
    const many = showCall(bash({ command: Array.from({ length: 312 }, (_, line) => `echo ${line}`).join('\n') }));
    expect(beginningOf(many, 60, 6_000)).toMatchObject({ linesLeft: 252 });
    const wide = showCall(bash({ command: `${'x'.repeat(7_000)}\nrm -rf /` }));
    const { parts, linesLeft } = beginningOf(wide, 60, 6_000);
    expect(linesLeft).toBe(2);
    expect(parts).toEqual([{ name: '', lines: ['x'.repeat(6_000)] }]);
    expect(beginningOf(showCall(bash({ command: 'ls' })), 60, 6_000).linesLeft).toBe(0);
  });
});

describe('Allow', () => {
  const signedIn = { person: 'me', personName: 'me', session: 's', deviceId: 'd', deviceName: 'n', verified: true };
  const facts = { signedIn, isHashRight: true, isSenderKnown: true, isWhole: true };

  it('is on for a verified device that has shown the whole call, whose hash is right', () => {
    expect(decideButtons(facts)).toEqual({ mayAllow: true, mayDeny: true });
  });

  it('stays off until all was shown; Deny does not', () => {
    expect(decideButtons({ ...facts, isWhole: false })).toEqual({ mayAllow: false, mayDeny: true });
  });

  it('is off for a call that is not the one the answer is bound to; Deny is not', () => {
    const changed = { mayAllow: false, mayDeny: true, obstacle: 'call_changed' };
    expect(decideButtons({ ...facts, isHashRight: false })).toEqual(changed);
  });

  it('is off with a reason for anyone else', () => {
    const obstacle = (changed: Partial<Parameters<typeof decideButtons>[0]>) => {
      const { mayAllow, mayDeny, obstacle: why } = decideButtons({ ...facts, ...changed });
      expect([mayAllow, mayDeny]).toEqual([false, false]);
      return why;
    };
    expect(obstacle({ signedIn: undefined })).toBe('not_paired');
    expect(obstacle({ signedIn: { ...signedIn, verified: false } })).toBe('not_verified');
    expect(obstacle({ isSenderKnown: false })).toBe('key_changed');
    expect(obstacle({ isHashRight: undefined })).toBeUndefined();
  });
});
