// What a wait takes: copies that it reads, or that the store has leased for it while it was parked.
import type { NamedCaller } from '../../ports/caller.js';
import type { HandedOver, TakenCopies, WaitTurn } from '../../ports/store.js';
import { endKeptWait, leaseOutcome, type LeasePorts } from '../inbox/lease.js';
import { isLate, takeCopies, type TakePorts, type Taking } from '../inbox/take-copies.js';
import type { ParkedWait } from './parked-waits.js';

export class WaitingReader {
  readonly #ports: TakePorts;
  readonly #caller: NamedCaller;
  readonly #wait: ParkedWait;
  readonly #taking: Taking;
  /** The store may keep the wait's request. */
  #mayBeKept = false;

  constructor(ports: TakePorts, caller: NamedCaller, { wait, taking }: { wait: ParkedWait; taking: Taking }) {
    this.#ports = ports;
    this.#caller = caller;
    this.#wait = wait;
    this.#taking = taking;
  }

  /** Undefined: nothing yet. */
  async read(isLast: boolean): Promise<TakenCopies | undefined> {
    const handed = this.#acceptHanded();
    if (handed !== undefined) return handed;
    const turn = this.#turnOf(isLast);
    if (!isLast) this.#mayBeKept = true;
    const taken = await takeCopies(this.#ports, this.#caller, { ...this.#taking, wait: turn });
    // Not before: if the read is refused, even the last one, the store keeps what it kept.
    if (isLast || taken.copies.length > 0) this.#mayBeKept = false;
    if (taken.copies.length > 0) return taken;
    // It may have been handed over before this read, which then found nothing.
    return this.#acceptHanded();
  }

  /** Copies that were handed over and are not taken go back as never sent. */
  end(): void {
    if (this.#wait.handed !== undefined) this.#returnHanded();
    else if (this.#mayBeKept) endKeptWait(this.#ports, this.#wait);
  }

  #turnOf(isLast: boolean): WaitTurn | undefined {
    if (this.#mayBeKept) return isLast ? 'last' : 'again';
    return isLast ? undefined : 'first';
  }

  #acceptHanded(): TakenCopies | undefined {
    const { handed } = this.#wait;
    if (handed === undefined) return undefined;
    this.#mayBeKept = false;
    const { ack, client } = this.#taking;
    if (client.isGone || isLate(this.#ports, ack, handed.leasedAt)) {
      this.#returnHanded();
      return undefined;
    }
    this.#wait.handed = undefined;
    return handed.taken;
  }

  #returnHanded(): void {
    const { handed } = this.#wait;
    this.#wait.handed = undefined;
    if (handed !== undefined) returnHanded(this.#ports, handed);
  }
}

/** No byte of it has left the hub. */
export function returnHanded(ports: LeasePorts, { sessionId, agentId, token, taken }: HandedOver): void {
  leaseOutcome(ports, { sessionId, agentId, token, keys: taken.copies.map(({ key }) => key) }).unsent();
}
