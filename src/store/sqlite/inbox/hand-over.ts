// Leases copies for waits that are parked, in the transaction that stores the copies: the wait's answer needs no second commit.
import { isUnfiltered } from '../../../notify/digest.js';
import type { HandedOver, LeaseRequest, TakenCopies, WaitReference } from '../../../ports/store.js';
import { needsFiled } from '../../rows/filed-ranges.js';
import { leaseCopies as leaseByRule } from '../../rules/leases.js';
import type { FreeCopies, Statements } from '../../rules/statements.js';
import { bindStatements, runNow } from '../../rules/steps.js';
import { findSession } from '../session/sessions.js';
import { headersOf } from '../thread/thread-headers.js';
import type { Tx } from '../writer/transaction.js';
import { releaseLease } from './leases.js';
import { countUnread } from './read-inbox.js';

/** Waits of one batch, so that it stays short; hints wake the others. */
const triedMax = 64;
/** Of one wait: the answers of a batch are sent to the other thread together. */
const handedBytesMax = 64 * 1024;

export function leaseCopies(tx: Tx, request: LeaseRequest): TakenCopies {
  const { wait } = request;
  if ((wait === 'again' || wait === 'last') && !tx.waits.isKept(request)) {
    return { copies: [], hasMore: false, threads: [], unread: countUnread(tx, request) };
  }
  const taken = runNow(leaseByRule(tx.statements, request));
  // A wait whose copies must be filed first has not read yet.
  if (wait === undefined || taken.mustFile === true) return taken;
  const isKept = wait !== 'last' && taken.copies.length === 0;
  tx.onRollback.push(isKept ? tx.waits.keep(request) : tx.waits.forget(request));
  return taken;
}

/** The hub that asks has not seen what is in `handedUnseen`: no byte of it was sent. */
export function endWait(tx: Tx, wait: WaitReference): boolean {
  const unseen = tx.handedUnseen.get(wait.token);
  tx.onRollback.push(tx.waits.forget(wait));
  if (unseen === undefined) return false;
  tx.handedUnseen.delete(wait.token);
  tx.onRollback.push(() => tx.handedUnseen.set(wait.token, unseen));
  const { sessionId, agentId, token } = wait;
  return releaseLease(tx, { sessionId, agentId, token, keys: unseen.keys, unsent: true }).length > 0;
}

/**
 * The lease's own rule. Most readers who wait have no other mail than what this batch has stored for them: then the rule is
 * given that, instead of reading it back.
 */
function leaseNow(tx: Tx, request: LeaseRequest): TakenCopies {
  const { sessionId, filter, limit } = request;
  const mail = tx.onlyMail?.take(request);
  // Notices may have to become a digest, which is another copy.
  const isAll = filter.wakingOnly && isUnfiltered(filter) && mail?.every(({ notice }) => notice === null) === true;
  if (mail === undefined || !isAll) return runNow(leaseByRule(tx.statements, request));
  const now = tx.clockJumps.now(request.now);
  const free: FreeCopies = {
    rows: mail.filter(({ expires_at: end }) => end === null || end > now).slice(0, limit + 1),
    salt: findSession(tx, sessionId)?.salt ?? 0,
    headersOf: (copies) => headersOf(tx, sessionId, copies),
  };
  return runNow(leaseByRule(withFree(tx.statements, free), request));
}

/** The same statements, except that the free copies are known. A copy of all of them would cost more than the read that this saves. */
function withFree(statements: Statements, free: FreeCopies): Statements {
  // Safe: it has the type of its prototype.
  const known = Object.create(statements) as Statements;
  return Object.assign(known, bindStatements(undefined, { freeCopies: () => free }));
}

/** For all copies that this batch has stored. Each goes through the lease's own rule, so that nothing is taken out of order. */
export function handToWaits(tx: Tx): HandedOver[] {
  const stored = tx.awaitedCopies.splice(0);
  const handed: HandedOver[] = [];
  const taken = new Set<string>();
  /** A wait that finds nothing for one copy finds nothing for the next: all are stored. */
  const tried = new Set<string>();
  /** Readers whose copies must be filed first: their waits with a filter are left to hints. */
  const unfiled = new Set<string>();
  for (const copy of stored) {
    const reader = `${copy.sessionId}\n${copy.agentId}`;
    const isTaken = () => taken.has(`${reader}\n${copy.seq}`);
    for (const request of tx.waits.takersOf(copy)) {
      if (isTaken() || tried.size >= triedMax) break;
      if (tried.has(request.token) || (unfiled.has(reader) && needsFiled(request.filter))) continue;
      tried.add(request.token);
      const found = leaseNow(tx, { ...request, ...tx.time, bytesMax: handedBytesMax, scansUnfiled: false });
      if (found.mustFile === true) unfiled.add(reader);
      if (found.copies.length === 0) continue;
      const { sessionId, agentId, token } = request;
      handed.push({ sessionId, agentId, token, taken: found, leasedAt: tx.time.monotonicNow });
      tx.onRollback.push(tx.waits.forget(request));
      for (const { key } of found.copies) taken.add(`${reader}\n${key.seq}`);
    }
  }
  // A digest that a lease has made is taken by that lease.
  tx.awaitedCopies.length = 0;
  return handed;
}
