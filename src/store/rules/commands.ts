// The store methods that are rules, as both stores bind them. Each store decides their durability.
import type { DeadLetterRecord } from '../../ports/store.js';
import { findAgentOrNull } from '../sql/agents.js';
import { deadLetters } from '../sql/dead-letters.js';
import { fileCopies, inboxesToFile } from '../sql/filing.js';
import { appendAudit, listAudit } from '../sql/audit.js';
import {
  listChannels,
  noteChannel,
  readPersonPrefs,
  removeChannel,
  saveChannel,
  setPersonPrefs,
} from '../sql/channels.js';
import { findKey, keyState, listKeys, noteKeysUsed } from '../sql/keys.js';
import { removedInboxes } from '../sql/removed-inboxes.js';
import { countPushes, settlePush, takePushes } from '../sql/pushes.js';
import { endEscalation } from '../sql/escalations.js';
import { agentsWithRoutes, pruneWakeRoutes } from '../sql/wake-routes.js';
import { findWake, listWakes, openWakes, wakesAnnouncing } from '../sql/wakes.js';
import { expiredSessions, findSessionRecord, listSessions } from '../sql/sessions.js';
import { hubLevelSignals, replaceBodies } from '../sql/sealed-bodies.js';
import { findAgentKey, findDeviceByKid, findHubIdentity, peopleWithDevices } from '../sql/signal-keys.js';
import { findSignal, listSignals, pruneSignals, sessionsWithDueSignals } from '../sql/signals.js';
import { closeSession, createSession } from './administer-sessions.js';
import { deleteImport, findImport, importPart, pruneImports } from '../sql/transfer.js';
import { findImportRun } from '../sql/import-runs.js';
import { agentKinds, endRemovedInbox, listAgents, registerAgent, removeAgent } from './agents.js';
import { readAttachment } from './attachments.js';
import { pruneAudit } from './audit.js';
import { audited } from './audited.js';
import { awaitedAnswers } from './awaited-answers.js';
import { exportHead, exportMessages, exportState } from './transfer/export-session.js';
import { clearImport, takeLeftImports } from './transfer/clear-import.js';
import { beginImport, completeImport, insertImported } from './transfer/import-session.js';
import { reviewImported } from './transfer/review-import.js';
import { stageImport } from './transfer/stage-import.js';
import { changeDevice, findDevice, listDevices, signInDevice, signOutDevice } from './signal/devices.js';
import { discardDeadLetter, replayDeadLetter } from './dead-letters.js';
import { listGroups, removeGroup, setGroups } from './groups.js';
import { addPerson, createKey, revokeKey, rotateKey } from './keys.js';
import { confirmLease, findLease, findLeased, leaseCopies, peekCopies } from './leases.js';
import { readNotifyPrefs, readNotifyTemplates, setNotifyPrefs, setNotifyTemplate } from './notify-settings.js';
import { readThread, threadsTitled } from './meant-thread.js';
import { findPairing, pairLocally, redeemPairing, startPairing } from './signal/pairings.js';
import { pruneMessages } from './prune-messages.js';
import { openingReceipts, receipts } from './receipts.js';
import { redactMessage } from './redact-message.js';
import { takeResponses } from './responses.js';
import { searchMessages } from './search.js';
import { closureOf, requireOpen } from './sessions.js';
import { createObserverLink, redeemObserverLink, signInWithKey } from './sign-ins.js';
import { claimHubIdentity, saveAgentKey } from './signal/keys.js';
import { addSignal, agentNames, endSignal, expireSignals, signalRecipients } from './signal/signals.js';
import { addEscalations, escalationsDue, takeEscalations } from './wake/escalations.js';
import { leaveWakeRoute, removeWakeRoute, setWakeRoute, wakeFacts } from './wake/routes.js';
import { confirmWake, nextWake, reportWake, settleWake, startTestWake } from './wake/wakes.js';
import type { Closure, SessionRecord } from '../../ports/store.js';
import type { Statements } from './statements.js';
import { runAwaited, runNow, type Steps } from './steps.js';
import { changeThread, createThread } from './threads.js';

function aboutLetter({ message, recipient }: DeadLetterRecord): { messageId: string; recipient: string } {
  return { messageId: message.id, recipient };
}

/** They write messages, or facts that sends depend on. */
export const changes = {
  ...whileOpen({
    createThread,
    changeThread,
    removeAgent: audited(removeAgent, ({ deadLettered }) => ({ deadLettered })),
    setGroups: audited(setGroups),
    removeGroup: audited(removeGroup),
    setNotifyPrefs: audited(setNotifyPrefs),
    setNotifyTemplate: audited(setNotifyTemplate),
    replayDeadLetter: audited(replayDeadLetter, ({ letter }) => aboutLetter(letter)),
    addPerson,
    endSignal,
  }),
  addSignal,
  expireSignals,
  endRemovedInbox,
  registerAgent,
  createKey,
  createObserverLink,
  createSession,
  closeSession,
  redactMessage,
  pruneMessages,
  completeImport,
  changeDevice,
};

/** No send depends on what they write. */
export const discards = {
  discardDeadLetter: audited(discardDeadLetter, aboutLetter),
  ...whileOpen({ saveChannel, setPersonPrefs, setWakeRoute, startTestWake }),
  removeWakeRoute,
  addEscalations,
  removeChannel,
  rotateKey,
  revokeKey,
  appendAudit,
  startPairing,
  redeemPairing,
  pairLocally,
  signInDevice,
  signInWithKey,
  redeemObserverLink,
  signOutDevice,
  pruneAudit,
  stageImport,
  beginImport,
  takeLeftImports,
  deleteImport,
  pruneImports,
  claimHubIdentity,
  saveAgentKey,
  replaceBodies,
  pruneSignals,
};
export const leases = {
  leaseCopies,
  takeResponses,
  takePushes,
  nextWake,
  reportWake,
  confirmWake,
  settleWake,
  takeEscalations,
  endEscalation,
};
export const confirmations = {
  confirmLease,
  fileCopies,
  insertImported,
  reviewImported,
  clearImport,
  noteKeysUsed,
  noteChannel,
  settlePush,
  leaveWakeRoute,
  pruneWakeRoutes,
};

/** One statement each, so they need no transaction. */
export const looks = {
  findAgent: findAgentOrNull,
  findDevice,
  findKey,
  keyState,
  findSession,
  sessionClosure,
  expiredSessions,
  findImport,
  importPart,
  isBeingImported,
  listChannels,
  readPersonPrefs,
  countPushes,
  inboxesToFile,
  removedInboxes,
  findAgentKey,
  findHubIdentity,
  findDeviceByKid,
  hubLevelSignals,
  peopleWithDevices,
  findSignal,
  sessionsWithDueSignals,
  agentsWithRoutes,
  openWakes,
  escalationsDue,
};

function* findSession(tx: Statements, { sessionId }: { sessionId: string }): Steps<SessionRecord | null> {
  return (yield* findSessionRecord(tx, sessionId)) ?? null;
}

function* isBeingImported(tx: Statements, { sessionId }: { sessionId: string }): Steps<boolean> {
  return (yield* findImportRun(tx, sessionId)) !== undefined;
}

function* sessionClosure(tx: Statements, { sessionId }: { sessionId: string }): Steps<Closure | null> {
  return yield* closureOf(tx, sessionId);
}

export const reads = {
  exportHead,
  exportMessages,
  exportState,
  listSessions,
  listKeys,
  listAudit,
  agentKinds,
  listAgents,
  listGroups,
  deadLetters,
  findLease,
  findPairing,
  listDevices,
  findLeased,
  peekCopies,
  receipts,
  openingReceipts,
  awaitedAnswers,
  readNotifyPrefs,
  readNotifyTemplates,
  readThread,
  threadsTitled,
  searchMessages,
  readAttachment,
  signalRecipients,
  listSignals,
  agentNames,
  findWake,
  listWakes,
  wakesAnnouncing,
  wakeFacts,
};

type RuleMap = Record<string, (tx: Statements, argument: never) => Steps<unknown>>;
type ResultOf<Rule> = Rule extends (tx: never, argument: never) => Steps<infer Result> ? Result : never;
interface HasStatements {
  readonly statements: Statements;
}

type RulesNow<Rules extends RuleMap> = {
  [Name in keyof Rules]: (tx: HasStatements, argument: Parameters<Rules[Name]>[1]) => ResultOf<Rules[Name]>;
};
type RulesAwaited<Rules extends RuleMap> = {
  [Name in keyof Rules]: (tx: HasStatements, argument: Parameters<Rules[Name]>[1]) => Promise<ResultOf<Rules[Name]>>;
};

/** Refused in a closed session. */
function whileOpen<Rules extends Record<string, (tx: Statements, plan: never) => Steps<unknown>>>(rules: Rules): Rules {
  const guarded = Object.entries(rules).map(([name, rule]) => {
    const run = function* (tx: Statements, plan: never): Steps<unknown> {
      yield* requireOpen(tx, (plan as { sessionId: string }).sessionId);
      return yield* rule(tx, plan);
    };
    return [name, run];
  });
  // Safe: the same names, each with the argument and result of its rule.
  return Object.fromEntries(guarded) as Rules;
}

/** For a synchronous store. */
export function rulesNow<Rules extends RuleMap>(rules: Rules): RulesNow<Rules> {
  // Safe: the same names, each with the argument and result of its rule.
  return bind(rules, runNow) as RulesNow<Rules>;
}

/** For an asynchronous store. */
export function rulesAwaited<Rules extends RuleMap>(rules: Rules): RulesAwaited<Rules> {
  return bind(rules, runAwaited) as RulesAwaited<Rules>;
}

function bind(rules: RuleMap, run: (steps: Steps<unknown>) => unknown): Record<string, unknown> {
  const bound = Object.entries(rules).map(([name, rule]) => {
    return [name, (tx: HasStatements, argument: never) => run(rule(tx.statements, argument))];
  });
  return Object.fromEntries(bound) as Record<string, unknown>;
}
