// Every operation: first those of the default profile, in the order in which tools/list shows them.
import type { Operation } from '../operation.js';
import { ackMessages } from './ack-messages.js';
import { addParticipant } from './add-participant.js';
import { answerQuestion } from './answer-question.js';
import { askQuestion } from './ask-question.js';
import { awaitWake } from './await-wake.js';
import { cancelQuestion } from './cancel-question.js';
import { closeSession } from './close-session.js';
import { closeThread } from './close-thread.js';
import { createCriticalThread } from './create-critical-thread.js';
import { createKey } from './create-key.js';
import { createObserverLink } from './create-observer-link.js';
import { createSession } from './create-session.js';
import { createThread } from './create-thread.js';
import { declineQuestion } from './decline-question.js';
import { discardDeadLetter } from './discard-dead-letter.js';
import { exportSession } from './export-session.js';
import { getActivity } from './get-activity.js';
import { getSessionHistory } from './get-session-history.js';
import { getAttachment } from './get-attachment.js';
import { getDeadLetters } from './get-dead-letters.js';
import { getMessages } from './get-messages.js';
import { getNotifyPrefs } from './get-notify-prefs.js';
import { getNotifyTemplates } from './get-notify-templates.js';
import { getPairing } from './get-pairing.js';
import { getPersonPrefs } from './get-person-prefs.js';
import { getReceipts } from './get-receipts.js';
import { getResponse } from './get-response.js';
import { getSentMessages } from './get-sent-messages.js';
import { getSignalKeys } from './get-signal-keys.js';
import { getThread } from './get-thread.js';
import { importSession } from './import-session.js';
import { joinThread } from './join-thread.js';
import { leaveThread } from './leave-thread.js';
import { listAgents } from './list-agents.js';
import { listAlerts } from './list-alerts.js';
import { listAudit } from './list-audit.js';
import { listDevices } from './list-devices.js';
import { listChannels } from './list-channels.js';
import { listGroups } from './list-groups.js';
import { listKeys } from './list-keys.js';
import { listQuestions } from './list-questions.js';
import { listSessions } from './list-sessions.js';
import { listActiveThreads } from './list-active-threads.js';
import { listThreads } from './list-threads.js';
import { listWakes } from './list-wakes.js';
import { queryMessageHistory } from './query-message-history.js';
import { redactMessage } from './redact-message.js';
import { registerAgent } from './register-agent.js';
import { removeAgent } from './remove-agent.js';
import { removeChannel } from './remove-channel.js';
import { removeGroup } from './remove-group.js';
import { removeParticipant } from './remove-participant.js';
import { removeWakeRoute } from './remove-wake-route.js';
import { renameDevice } from './rename-device.js';
import { reopenThread } from './reopen-thread.js';
import { replayDeadLetter } from './replay-dead-letter.js';
import { reportWake } from './report-wake.js';
import { revokeDevice } from './revoke-device.js';
import { revokeKey } from './revoke-key.js';
import { rotateKey } from './rotate-key.js';
import { searchMessages } from './search-messages.js';
import { sendAlert } from './send-alert.js';
import { sendMessage } from './send-message.js';
import { sendSealed } from './send-sealed.js';
import { setAgentKey } from './set-agent-key.js';
import { setChannel } from './set-channel.js';
import { setGroup } from './set-group.js';
import { setNotifyPrefs } from './set-notify-prefs.js';
import { setNotifyTemplate } from './set-notify-template.js';
import { setWakeRoute } from './set-wake-route.js';
import { shareSignal } from './share-signal.js';
import { startPairing } from './start-pairing.js';
import { verifyDevice } from './verify-device.js';
import { setPersonPrefs } from './set-person-prefs.js';
import { testChannel } from './test-channel.js';
import { testWake } from './test-wake.js';
import { waitForAgents } from './wait-for-agents.js';
import { waitForMentions } from './wait-for-mentions.js';
import { waitForResponses } from './wait-for-responses.js';

export const operations = {
  registerAgent,
  listAgents,
  createThread,
  joinThread,
  listThreads,
  listActiveThreads,
  sendMessage,
  waitForMentions,
  getMessages,
  getThread,
  createCriticalThread,
  waitForResponses,
  askQuestion,
  getResponse,
  sendAlert,
  listGroups,
  removeAgent,
  waitForAgents,
  leaveThread,
  addParticipant,
  removeParticipant,
  closeThread,
  reopenThread,
  ackMessages,
  getReceipts,
  getAttachment,
  setGroup,
  removeGroup,
  getDeadLetters,
  replayDeadLetter,
  discardDeadLetter,
  getSentMessages,
  queryMessageHistory,
  searchMessages,
  getActivity,
  getSessionHistory,
  setNotifyPrefs,
  getNotifyPrefs,
  setNotifyTemplate,
  getNotifyTemplates,
  createKey,
  createObserverLink,
  listKeys,
  revokeKey,
  rotateKey,
  listAudit,
  createSession,
  listSessions,
  closeSession,
  redactMessage,
  exportSession,
  importSession,
  cancelQuestion,
  listQuestions,
  listAlerts,
  answerQuestion,
  declineQuestion,
  sendSealed,
  getSignalKeys,
  setAgentKey,
  shareSignal,
  startPairing,
  getPairing,
  listDevices,
  revokeDevice,
  renameDevice,
  verifyDevice,
  listChannels,
  setChannel,
  removeChannel,
  testChannel,
  getPersonPrefs,
  setPersonPrefs,
  setWakeRoute,
  awaitWake,
  reportWake,
  removeWakeRoute,
  listWakes,
  testWake,
} as const;

export const operationList: readonly Operation[] = Object.values(operations);

const byName = new Map(operationList.map((operation) => [operation.name, operation]));

export function operationCalled(name: string): Operation | undefined {
  return byName.get(name);
}
