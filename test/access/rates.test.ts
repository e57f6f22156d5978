// Rates by key and by address, as functions of time alone.
import { describe, expect, it } from 'vitest';
import { FailedAttempts } from '../../dist/access/failed-attempts.js';
import { networkOf } from '../../dist/access/network.js';
import { RateLimit } from '../../dist/access/rate-limit.js';
import { TokenBuckets } from '../../dist/access/token-buckets.js';
import { limits } from '../../dist/contract/limits.js';
import type { Grant } from '../../dist/ports/caller.js';
import { processorMs } from '../support/processor-time.js';

function stoppedClock() {
  let now = 0;
  return { monotonic: () => now, advance: (ms: number) => (now += ms) };
}

const take = (buckets: TokenBuckets, name: string, count: number) =>
  Array.from({ length: count }, () => buckets.take(name)).filter((waitMs) => waitMs === 0).length;

describe('a bucket', () => {
  const rate = { perSecond: 10, burst: 20 };

  it('gives its burst at once, then what time refills, and says when there is more', () => {
    const clock = stoppedClock();
    const buckets = new TokenBuckets(rate, clock.monotonic);
    expect(take(buckets, 'a', 30)).toBe(20);
    expect(buckets.take('a')).toBe(100);
    clock.advance(99);
    expect(buckets.take('a')).toBe(1);
    clock.advance(1);
    expect(buckets.take('a')).toBe(0);
    clock.advance(60_000);
    expect(take(buckets, 'a', 30)).toBe(20);
    expect(take(buckets, 'b', 30)).toBe(20);
  });

  it('goes into debt for what was spent elsewhere, by one burst at most', () => {
    const clock = stoppedClock();
    const buckets = new TokenBuckets(rate, clock.monotonic);
    buckets.deduct('a', 1_000_000);
    expect(buckets.waitMs('a')).toBe(2_100);
    for (const nonsense of [-5, Number.NaN, 0]) buckets.deduct('b', nonsense);
    expect(take(buckets, 'b', 30)).toBe(20);
  });

  it('is forgotten when it is full again, and tells once what was spent', () => {
    const clock = stoppedClock();
    const buckets = new TokenBuckets(rate, clock.monotonic);
    take(buckets, 'a', 3);
    take(buckets, 'b', 30);
    expect(buckets.takeSpent()).toEqual([
      ['a', 3],
      ['b', 20],
    ]);
    clock.advance(300);
    expect(buckets.takeSpent()).toEqual([]);
    expect(buckets.size).toBe(1);
  });

  it('is one of a bounded number', () => {
    const buckets = new TokenBuckets(rate, stoppedClock().monotonic);
    for (let index = 0; index < 50_000; index++) buckets.take(`caller-${index}`);
    expect(buckets.size).toBeLessThanOrEqual(20_000);
    expect(take(buckets, 'caller-49999', 30)).toBe(19);
  });
});

const grant: Grant = {
  keyId: 'k1',
  signInId: null,
  sessionId: 'default',
  agentId: 'ann',
  capabilities: new Set(['send', 'read']),
  expiresAt: null,
  isPerson: false,
  device: null,
};

/** Hubs that report to each other when told to. */
function hubsOf(count: number) {
  const clock = stoppedClock();
  const hubs: RateLimit[] = [];
  for (let own = 0; own < count; own++) {
    const others = () => hubs.filter((_, index) => index !== own);
    const publish = (keyId: string, calls: number) => {
      for (const other of others()) other.spentElsewhere(keyId, calls);
    };
    hubs.push(new RateLimit({ clock, publish }));
  }
  const callsAt = (hub: RateLimit, tries: number) => {
    let calls = 0;
    for (let index = 0; index < tries; index++) {
      try {
        hub.spend(grant);
        calls += 1;
      } catch {
        return calls;
      }
    }
    return calls;
  };
  return { clock, hubs, callsAt };
}

describe('the rate of a key', () => {
  it('over three hubs is one burst each at worst, and the rate of one in the long run', () => {
    const { clock, hubs, callsAt } = hubsOf(3);
    const { callsPerSecond, callsBurst } = limits;
    const seconds = 60;
    let calls = 0;
    for (let half = 0; half < 2 * seconds; half++) {
      for (const hub of hubs) calls += callsAt(hub, 10_000);
      for (const hub of hubs) hub.share();
      clock.advance(500);
    }
    expect(calls).toBeLessThanOrEqual(3 * callsBurst + callsPerSecond * seconds);
    expect(calls).toBeGreaterThan(callsPerSecond * seconds * 0.9);
  });

  it('is refused with the time to wait, and not counted in open mode', () => {
    const { hubs, callsAt } = hubsOf(1);
    const [hub] = hubs;
    if (hub === undefined) throw new Error('one hub');
    expect(callsAt(hub, 10_000)).toBe(limits.callsBurst);
    expect(() => hub.spend(grant)).toThrowError(
      expect.objectContaining({ code: 'RATE_LIMITED', details: { retryAfterMs: 10, perSecond: 100, burst: 1_000 } }),
    );
    for (let index = 0; index < 5_000; index++) hub.spend(null);
  });

  it('costs less than a microsecond a call', () => {
    const tries = 200_000;
    const buckets = new TokenBuckets({ perSecond: 1e9, burst: 1e9 }, () => performance.now());
    const best = Math.min(
      ...Array.from({ length: 5 }, () => {
        const ms = processorMs(() => {
          for (let index = 0; index < tries; index++) buckets.take('k1');
        });
        return (ms * 1_000) / tries;
      }),
    );
    expect(best).toBeLessThan(1);
  });
});

describe('wrong keys', () => {
  it('are counted by address, and forgiven with time', () => {
    const clock = stoppedClock();
    const attempts = new FailedAttempts(clock);
    for (let index = 0; index < limits.failedKeysPerMinute; index++) {
      expect(attempts.isExhausted('10.0.0.1')).toBeNull();
      attempts.note('10.0.0.1');
    }
    expect(attempts.isExhausted('10.0.0.1')).toBe(1_000);
    expect(attempts.isExhausted('10.0.0.2')).toBeNull();
    clock.advance(1_000);
    expect(attempts.isExhausted('10.0.0.1')).toBeNull();
  });

  it('from one IPv6 network are one caller’s', () => {
    const attempts = new FailedAttempts(stoppedClock());
    for (let index = 0; index < limits.failedKeysPerMinute; index++)
      attempts.note(`2001:db8:1:2::${index.toString(16)}`);
    expect(attempts.isExhausted('2001:db8:1:2:ffff:0:0:1')).not.toBeNull();
    expect(attempts.isExhausted('2001:db8:1:3::1')).toBeNull();
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::1', '0:0:0:0::/64'],
    ['2001:DB8:0001:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::5:6', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['::::::::::', '0:0:0:0::/64'],
  ])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network));
});
