// The hub's view of the keys: a cache that believes itself only while it was compared with the store a moment ago.
import type { Grant } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { KeyLookup, KeyState, Store } from '../ports/store.js';
import { isSecretOf, readKeyText, type PresentedKey } from './key-text.js';

/** Half of the second within which a hub promises to know of a revoked key. */
const pollEveryMs = 500;
/** A cache that was compared longer ago than this is not believed. */
const believedMs = 2_000;
/** Calls in progress may end in this time; what still waits then is ended. */
const graceMs = 200;
const cachedMax = 10_000;
/** How often the times of use are stored. */
const noteUseEveryMs = 5_000;

export type KeyFault = 'malformed' | 'unknown' | 'revoked' | 'expired';

export type KeyCheck = { grant: Grant } | { fault: KeyFault; key?: KeyLookup };

export interface KeyRingPorts {
  store: Pick<Store, 'findKey' | 'keyState' | 'noteKeysUsed'>;
  clock: Clock;
}

interface Cached {
  key: KeyLookup;
  hash: Buffer;
  grant: Grant;
}

export class KeyRing {
  readonly #ports: KeyRingPorts;
  readonly #cached = new Map<string, Cached>();
  /** By the key's id: what to end when it no longer works. Null: what was let in without one, and ends with open mode. */
  readonly #open = new Map<string | null, Set<(fault: KeyFault) => void>>();
  readonly #used = new Map<string, number>();
  #state: KeyState;
  #comparedAt: number;
  #comparing: Promise<void> | undefined;
  readonly #timers: NodeJS.Timeout[];
  #isStopped = false;

  static async start(ports: KeyRingPorts): Promise<KeyRing> {
    return new KeyRing(ports, await ports.store.keyState());
  }

  private constructor(ports: KeyRingPorts, state: KeyState) {
    this.#ports = ports;
    this.#state = state;
    this.#comparedAt = ports.clock.monotonic();
    const compare = () => void this.compare().catch(() => {});
    const note = () => void this.#noteUse().catch(() => {});
    this.#timers = [setInterval(compare, pollEveryMs).unref(), setInterval(note, noteUseEveryMs).unref()];
  }

  /** Without keys anyone may be anyone. Never true again once a key was made. */
  get isOpen(): boolean {
    return !this.#state.hasKeys;
  }

  /** True if answers need no look at the store. */
  get isFresh(): boolean {
    return this.#ports.clock.monotonic() - this.#comparedAt < believedMs;
  }

  /** Reads from the store whether keys have changed. Throws if it is out of reach. */
  compare(): Promise<void> {
    this.#comparing ??= this.#compareNow().finally(() => (this.#comparing = undefined));
    return this.#comparing;
  }

  /** Keys were changed, here or at another hub. */
  changed(): void {
    if (this.#isStopped) return;
    // A comparison under way may have read the state of before.
    const after = this.#comparing?.catch(() => {}) ?? Promise.resolve();
    void after.then(() => (this.#isStopped ? undefined : this.compare())).catch(() => {});
  }

  /** At once for a key that is cached. */
  check(text: string): KeyCheck | Promise<KeyCheck> {
    const presented = readKeyText(text);
    if (presented === undefined) return { fault: 'malformed' };
    const known = this.#cached.get(presented.id);
    if (known !== undefined) return this.#compareSecret(presented, known);
    return this.#find(presented.id).then((found) => this.#compareSecret(presented, found));
  }

  #compareSecret(presented: PresentedKey, found: Cached | undefined): KeyCheck {
    if (found === undefined || !isSecretOf(presented, found.hash)) return { fault: 'unknown' };
    const { key, grant } = found;
    const fault = this.#faultOf(key);
    if (fault !== undefined) return { fault, key };
    this.#used.set(grant.keyId, this.#ports.clock.now());
    return { grant };
  }

  /** Calls back when the key or sign-in no longer works, for null when there are keys; the returned function removes the callback. */
  onEnd(keyId: string | null, end: (fault: KeyFault) => void): () => void {
    let ends = this.#open.get(keyId);
    if (ends === undefined) this.#open.set(keyId, (ends = new Set()));
    ends.add(end);
    const added = ends;
    return () => {
      added.delete(end);
      if (added.size === 0 && this.#open.get(keyId) === added) this.#open.delete(keyId);
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#noteUse().catch(() => {});
  }

  async #find(id: string): Promise<Cached | undefined> {
    const known = this.#cached.get(id);
    if (known !== undefined) return known;
    const { version } = this.#state;
    const key = await this.#ports.store.findKey({ id });
    if (key === null) return undefined;
    const found = { key, hash: Buffer.from(key.hash, 'hex'), grant: grantOf(key) };
    // Not cached if keys changed in between: what was read may be what was before.
    if (version === this.#state.version) {
      if (this.#cached.size >= cachedMax) this.#cached.clear();
      this.#cached.set(id, found);
    }
    return found;
  }

  async #compareNow(): Promise<void> {
    const state = await this.#ports.store.keyState();
    this.#comparedAt = this.#ports.clock.monotonic();
    const isChanged = state.version !== this.#state.version;
    this.#state = state;
    if (isChanged) this.#cached.clear();
    // What fails here is tried again with the next comparison.
    void this.#endOpen().catch(() => {});
  }

  /** Ends what is open under keys that no longer work. */
  async #endOpen(): Promise<void> {
    await Promise.all(
      Array.from(this.#open, async ([id, ends]) => {
        const fault = id === null ? this.#faultOfNone() : await this.#faultNow(id);
        if (fault !== undefined) this.#end(ends, fault);
      }),
    );
  }

  #end(ends: ReadonlySet<(fault: KeyFault) => void>, fault: KeyFault): void {
    setTimeout(() => {
      for (const end of Array.from(ends)) end(fault);
    }, graceMs).unref();
  }

  #faultOfNone(): KeyFault | undefined {
    return this.isOpen ? undefined : 'unknown';
  }

  async #faultNow(id: string): Promise<KeyFault | undefined> {
    const found = await this.#find(id);
    return found === undefined ? 'unknown' : this.#faultOf(found.key);
  }

  #faultOf({ revokedAt, expiresAt }: KeyLookup): 'revoked' | 'expired' | undefined {
    if (revokedAt !== null) return 'revoked';
    return expiresAt !== null && expiresAt <= this.#ports.clock.now() ? 'expired' : undefined;
  }

  async #noteUse(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = Array.from(this.#used, ([id, at]) => ({ id, at }));
    this.#used.clear();
    await this.#ports.store.noteKeysUsed(used);
  }
}

function grantOf(key: KeyLookup): Grant {
  const { signInOf, device } = key;
  return {
    keyId: signInOf === null || device !== null ? key.id : signInOf,
    signInId: signInOf === null ? null : key.id,
    sessionId: key.sessionId,
    agentId: key.agentId,
    capabilities: new Set(key.capabilities),
    expiresAt: key.expiresAt,
    isPerson: key.kind === 'human',
    device,
  };
}
