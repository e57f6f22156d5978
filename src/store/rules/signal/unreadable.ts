// Tells askers of pending questions that the last device which could read them was revoked.
import type { DeviceRecord } from '../../../ports/signal.js';
import { isReadable, newsOfUnreadable } from '../../../signal/decide-readable.js';
import { devicesOf } from '../../sql/devices.js';
import { pendingEnvelopes } from '../../sql/sealed-bodies.js';
import { writeReports } from '../notices.js';
import type { Statements } from '../statements.js';
import type { Steps } from '../steps.js';

const devicesMax = 1_000;

/** Once for each: a device is revoked once, and the last one that can read it is one device. */
export function* tellOfUnreadable(tx: Statements, revoked: DeviceRecord, at: number): Steps<void> {
  const { sessionId, personId, kid } = revoked;
  for (const signal of yield* pendingEnvelopes(tx, sessionId, personId)) {
    if (!isReadable(signal, new Set([kid]))) continue;
    const devices = yield* devicesOf(tx, { sessionId, people: signal.people, limit: devicesMax });
    if (isReadable(signal, new Set(devices.map((device) => device.kid)))) continue;
    yield* writeReports(tx, sessionId, [
      { agentId: signal.sender, text: { ...newsOfUnreadable(signal, at), target: signal.sender } },
    ]);
  }
}
