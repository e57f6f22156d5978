// Binds every operation to the code that performs it.
import { createKey, listKeys, revokeKey, rotateKey } from './access/administer-keys.js';
import { createObserverLink, type LinkPorts } from './access/observer-link.js';
import { listAudit, type ListAuditPorts } from './access/list-audit.js';
import { listAgents, waitForAgents, type BarrierPorts } from './agent/list.js';
import { registerAgent, removeAgent } from './agent/register.js';
import { operations } from './contract/operations/index.js';
import { bind, type BoundOperation } from './dispatch/bind.js';
import { inTurns } from './dispatch/in-turns.js';
import { charsIn, formatThread } from './format/format-thread.js';
import { listGroups, removeGroup, setGroup, type GroupPorts } from './group/groups.js';
import { acknowledge } from './message/inbox/acknowledge.js';
import { withAwaited } from './message/inbox/awaited.js';
import {
  discardDeadLetter,
  getDeadLetters,
  replayDeadLetter,
  type DeadLetterPorts,
} from './message/receipts/dead-letters.js';
import { getActivity, type ActivityPorts } from './message/history/activity.js';
import { getSessionHistory, type SessionHistoryPorts } from './message/history/session-history.js';
import { getAttachment } from './message/history/get-attachment.js';
import { getSentMessages, queryMessageHistory, type HistoryPorts } from './message/history/history.js';
import type { WaitContext } from './message/wait/read-until.js';
import { getMessages } from './message/inbox/read.js';
import { getReceipts, type ReceiptPorts } from './message/receipts/receipts.js';
import { searchMessages } from './message/history/search.js';
import { sendMessage, type SendPorts } from './message/send/send.js';
import { awaitResponses, waitForResponses, type ResponsesPorts } from './message/wait/wait-for-responses.js';
import { waitForMentions } from './message/wait/wait.js';
import {
  getNotifyPrefs,
  getNotifyTemplates,
  setNotifyPrefs,
  setNotifyTemplate,
  type NotifyPorts,
} from './notify/settings.js';
import { redactMessage, type RedactPorts } from './session/redact.js';
import { closeSession, createSession, listSessions, type SessionPorts } from './session/sessions.js';
import { changeDevice, listDevices, verifyDevice, type DevicePorts } from './signal/pair/administer-devices.js';
import { getPairing, startPairing, type PairingPorts } from './signal/pair/start-pairing.js';
import type { Caller, NamedCaller } from './ports/caller.js';
import type { HubSecret } from './ports/hub-secret.js';
import type { ThreadChange } from './ports/store.js';
import { exportSession, type ExportPorts } from './session/transfer/export-session.js';
import { importSession, type ImportPorts } from './session/transfer/import-session.js';
import { answerQuestion, cancelQuestion, declineQuestion } from './signal/answer.js';
import { askQuestion, sendAlert } from './signal/ask.js';
import { getSignalKeys, setAgentKey } from './signal/keys.js';
import { listAlerts, listQuestions } from './signal/list.js';
import { withAnswers } from './signal/open-answers.js';
import { shareSignal } from './signal/share.js';
import { getResponse, type RespondPorts } from './signal/respond.js';
import { sendSealed } from './signal/send-sealed.js';
import { listChannels, removeChannel, setChannel, testChannel, type ChannelPorts } from './signal/push/channels.js';
import { getPersonPrefs, setPersonPrefs, type PersonPrefsPorts } from './signal/push/person-prefs.js';
import { awaitWake } from './wake/await.js';
import { listWakes, type ListWakesPorts } from './wake/list.js';
import { reportWake } from './wake/report.js';
import { removeWakeRoute, setWakeRoute } from './wake/routes.js';
import { testWake } from './wake/try-wake.js';
import { changeThread, type ChangeThreadPorts } from './thread/change.js';
import { createCriticalThread, type CreateCriticalPorts } from './thread/create-critical.js';
import { createThread, type CreateThreadPorts } from './thread/create.js';
import { listActiveThreads, type ActiveThreadPorts } from './thread/active.js';
import { getThread, listThreads, type ReadThreadPorts } from './thread/read.js';

export type HandlerPorts = BarrierPorts &
  SendPorts &
  ResponsesPorts &
  HistoryPorts &
  ActivityPorts &
  SessionHistoryPorts &
  ChangeThreadPorts &
  CreateThreadPorts &
  ReadThreadPorts &
  ActiveThreadPorts &
  GroupPorts &
  DeadLetterPorts &
  NotifyPorts &
  LinkPorts &
  ListAuditPorts &
  SessionPorts &
  RedactPorts &
  ExportPorts &
  ChannelPorts &
  PersonPrefsPorts &
  ImportPorts &
  RespondPorts &
  PairingPorts &
  DevicePorts &
  ListWakesPorts &
  ReceiptPorts & { hubSecret: HubSecret };

/** Operations with `caller: 'required'` are only performed for a named caller; dispatch has checked this. */
function named(caller: Caller): NamedCaller {
  if (caller.agentId === null) throw new Error('performed without a caller');
  return { ...caller, agentId: caller.agentId };
}

export function bindOperations(ports: HandlerPorts): BoundOperation[] {
  return bindAll(ports).map((bound) => (bound.operation.access === 'signal' ? withSecret(ports, bound) : bound));
}

/** With another secret than the database's, nothing of Signal could be read. */
function withSecret({ hubSecret }: Pick<HandlerPorts, 'hubSecret'>, bound: BoundOperation): BoundOperation {
  return {
    operation: bound.operation,
    async perform(...call) {
      await hubSecret.requireOurs();
      return bound.perform(...call);
    },
  };
}

function bindAll(ports: HandlerPorts): BoundOperation[] {
  const change = async (caller: Caller, threadId: string, what: ThreadChange) => ({
    output: await changeThread(ports, named(caller), { threadId, change: what }),
  });
  const critical: CreateCriticalPorts<WaitContext> = {
    ...ports,
    awaitResponses: (caller, awaited, context) => awaitResponses(ports, caller, { awaited, context }),
  };
  return [
    bind(operations.registerAgent, async (caller, input) => ({ output: await registerAgent(ports, caller, input) })),
    bind(operations.removeAgent, async (caller, input) => ({ output: await removeAgent(ports, caller, input) })),
    bind(operations.listAgents, async (caller, input, { model }) => ({
      output: await listAgents(ports, caller, { input, model }),
    })),
    bind(operations.waitForAgents, async (caller, input, context) => ({
      output: await waitForAgents(ports, caller, { input, context }),
    })),
    bind(operations.createThread, async (caller, input) => ({
      output: await createThread(ports, named(caller), input),
    })),
    bind(operations.createCriticalThread, (caller, input, context) =>
      createCriticalThread(critical, named(caller), { draft: input, context }),
    ),
    bind(operations.waitForResponses, (caller, input, context) =>
      waitForResponses(ports, named(caller), { input, context }),
    ),
    bind(operations.joinThread, (caller, { threadId }) => change(caller, threadId, { kind: 'join' })),
    bind(operations.leaveThread, (caller, { threadId }) => change(caller, threadId, { kind: 'leave' })),
    bind(operations.addParticipant, (caller, { threadId, participantId }) =>
      change(caller, threadId, { kind: 'add', participantId }),
    ),
    bind(operations.removeParticipant, (caller, { threadId, participantId }) =>
      change(caller, threadId, { kind: 'remove', participantId }),
    ),
    bind(operations.closeThread, (caller, { threadId, summary }) =>
      change(caller, threadId, { kind: 'close', summary }),
    ),
    bind(operations.reopenThread, (caller, { threadId }) => change(caller, threadId, { kind: 'reopen' })),
    bind(operations.listThreads, async (caller, input, { model }) => ({
      output: await listThreads(ports, caller, { input, model }),
    })),
    bind(operations.listActiveThreads, async (caller, input, { model }) => ({
      output: await listActiveThreads(ports, caller, { input, model }),
    })),
    bind(operations.getThread, async (caller, input, { model }) => {
      const output = await getThread(ports, caller, { input, model });
      const finish = (thread: typeof output) => inTurns(formatThread(thread, input.format));
      return input.format === undefined ? { output } : { output, finish, dataBytes: charsIn(output.messages) };
    }),
    bind(operations.sendMessage, (caller, input) => sendMessage(ports, named(caller), input)),
    bind(operations.waitForMentions, async (caller, input, context) => {
      const reader = { ...named(caller), model: context.model };
      const answer = await waitForMentions(ports, reader, { input, context });
      return withAnswers(ports, reader, await withAwaited(ports, reader, answer));
    }),
    bind(operations.getMessages, async (caller, input, context) => {
      const answer = await getMessages(ports, caller, { input, context });
      const { model } = context;
      const { sessionId, agentId } = caller;
      const owner = input.sessionId ?? agentId;
      if (owner === null) return answer;
      const awaited = await withAwaited(ports, { sessionId, agentId: owner }, answer);
      return owner === (agentId ?? owner) ? withAnswers(ports, { sessionId, agentId: owner, model }, awaited) : awaited;
    }),
    bind(operations.ackMessages, async (caller, input) => ({ output: await acknowledge(ports, named(caller), input) })),
    bind(operations.getReceipts, async (caller, input) => ({ output: await getReceipts(ports, caller, input) })),
    bind(operations.getAttachment, (caller, input, { model }) => getAttachment(ports, caller, { input, model })),
    bind(operations.listGroups, async (caller, _, { model }) => ({ output: await listGroups(ports, caller, model) })),
    bind(operations.setGroup, async (caller, input) => ({ output: await setGroup(ports, caller, input) })),
    bind(operations.removeGroup, async (caller, input) => ({ output: await removeGroup(ports, caller, input) })),
    bind(operations.getDeadLetters, async (caller, input, { model }) => ({
      output: await getDeadLetters(ports, caller, { input, model }),
    })),
    bind(operations.replayDeadLetter, async (caller, input) => ({
      output: await replayDeadLetter(ports, caller, input),
    })),
    bind(operations.discardDeadLetter, async (caller, input) => ({
      output: await discardDeadLetter(ports, caller, input),
    })),
    bind(operations.getSentMessages, async (caller, input, { model }) => ({
      output: await getSentMessages(ports, caller, { input, model }),
    })),
    bind(operations.queryMessageHistory, async (caller, input, { model }) => ({
      output: await queryMessageHistory(ports, caller, { input, model }),
    })),
    bind(operations.searchMessages, async (caller, input, { model }) => ({
      output: await searchMessages(ports, caller, { input, model }),
    })),
    bind(operations.getActivity, async (caller, input) => ({ output: await getActivity(ports, caller, input) })),
    bind(operations.getSessionHistory, async (caller, input, { model }) => ({
      output: await getSessionHistory(ports, caller, { input, model }),
    })),
    bind(operations.setNotifyPrefs, async (caller, input) => ({
      output: await setNotifyPrefs(ports, named(caller), input),
    })),
    bind(operations.getNotifyPrefs, async (caller, input) => ({
      output: await getNotifyPrefs(ports, named(caller), input),
    })),
    bind(operations.setNotifyTemplate, async (caller, input) => ({
      output: await setNotifyTemplate(ports, caller, input),
    })),
    bind(operations.getNotifyTemplates, async (caller) => ({ output: await getNotifyTemplates(ports, caller) })),
    bind(operations.createKey, async (caller, input) => ({ output: await createKey(ports, caller, input) })),
    bind(operations.createObserverLink, async (caller, input) => ({
      output: await createObserverLink(ports, caller, input),
    })),
    bind(operations.listKeys, async (caller, input) => ({ output: await listKeys(ports, caller, input) })),
    bind(operations.revokeKey, async (caller, input) => ({ output: await revokeKey(ports, caller, input) })),
    bind(operations.rotateKey, async (caller, input) => ({ output: await rotateKey(ports, caller, input) })),
    bind(operations.listAudit, async (caller, input, { model }) => ({
      output: await listAudit(ports, caller, { input, model }),
    })),
    bind(operations.createSession, async (caller, input) => ({ output: await createSession(ports, caller, input) })),
    bind(operations.listSessions, async (caller, input) => ({ output: await listSessions(ports, caller, input) })),
    bind(operations.closeSession, async (caller, input) => ({ output: await closeSession(ports, caller, input) })),
    bind(operations.redactMessage, async (caller, input) => ({ output: await redactMessage(ports, caller, input) })),
    bind(operations.exportSession, async (caller, input) => ({ output: await exportSession(ports, caller, input) })),
    bind(operations.askQuestion, async (caller, input) => ({ output: await askQuestion(ports, named(caller), input) })),
    bind(operations.getResponse, async (caller, input, context) => {
      const output = await getResponse(ports, named(caller), { input, context });
      const { sealed, questionId } = output;
      return { output, ...(sealed === undefined ? {} : { sealed: { [questionId]: sealed } }) };
    }),
    bind(operations.sendAlert, async (caller, input) => ({ output: await sendAlert(ports, named(caller), input) })),
    bind(operations.sendSealed, async (caller, input) => ({ output: await sendSealed(ports, named(caller), input) })),
    bind(operations.getSignalKeys, async (caller, input) => ({
      output: await getSignalKeys(ports, named(caller), input),
    })),
    bind(operations.setAgentKey, async (caller, input) => ({ output: await setAgentKey(ports, named(caller), input) })),
    bind(operations.shareSignal, async (caller, input) => ({ output: await shareSignal(ports, named(caller), input) })),
    bind(operations.cancelQuestion, async (caller, input) => ({
      output: await cancelQuestion(ports, named(caller), input),
    })),
    bind(operations.listQuestions, async (caller, input) => ({ output: await listQuestions(ports, caller, input) })),
    bind(operations.listAlerts, async (caller, input) => ({ output: await listAlerts(ports, caller, input) })),
    bind(operations.answerQuestion, async (caller, input) => ({
      output: await answerQuestion(ports, named(caller), input),
    })),
    bind(operations.declineQuestion, async (caller, input) => ({
      output: await declineQuestion(ports, named(caller), input),
    })),
    bind(operations.listChannels, async (caller) => ({ output: await listChannels(ports, caller) })),
    bind(operations.setChannel, async (caller, input) => ({ output: await setChannel(ports, caller, input) })),
    bind(operations.removeChannel, async (caller, input) => ({ output: await removeChannel(ports, caller, input) })),
    bind(operations.testChannel, async (caller, input) => ({ output: await testChannel(ports, caller, input) })),
    bind(operations.getPersonPrefs, async (caller) => ({ output: await getPersonPrefs(ports, caller) })),
    bind(operations.setPersonPrefs, async (caller, input) => ({ output: await setPersonPrefs(ports, caller, input) })),
    bind(operations.importSession, async (caller, input) => ({ output: await importSession(ports, caller, input) })),
    bind(operations.startPairing, async (caller, input) => ({
      output: await startPairing(ports, named(caller), input),
    })),
    bind(operations.getPairing, async (caller, input, context) => ({
      output: await getPairing(ports, named(caller), { input, context }),
    })),
    bind(operations.listDevices, async (caller, input) => ({ output: await listDevices(ports, caller, input) })),
    bind(operations.revokeDevice, async (caller, { deviceId }) => ({
      output: await changeDevice(ports, caller, { deviceId, change: { kind: 'revoke' } }),
    })),
    bind(operations.renameDevice, async (caller, { deviceId, name }) => ({
      output: await changeDevice(ports, caller, { deviceId, change: { kind: 'rename', name } }),
    })),
    bind(operations.setWakeRoute, async (caller, input) => ({
      output: await setWakeRoute(ports, named(caller), input),
    })),
    bind(operations.awaitWake, async (caller, input, context) => ({
      output: await awaitWake(ports, named(caller), { input, context }),
    })),
    bind(operations.reportWake, async (caller, input) => ({ output: await reportWake(ports, named(caller), input) })),
    bind(operations.removeWakeRoute, async (caller, input) => ({
      output: await removeWakeRoute(ports, named(caller), input),
    })),
    bind(operations.listWakes, async (caller, input) => ({ output: await listWakes(ports, caller, input) })),
    bind(operations.testWake, async (caller, input, context) => ({
      output: await testWake(ports, named(caller), { input, context }),
    })),
    bind(operations.verifyDevice, async (caller, input) => ({
      output: await verifyDevice(ports, named(caller), input),
    })),
  ];
}
