// What follows when the lists were read: they are kept for the next start, other devices get the keys they lack, and
// notifications of questions that are over disappear.
import { readDevice } from '../device/identity.js';
import { speaker } from './hub.js';
import { keepLists } from './kept.js';
import { withNotifications } from './notifications-lock.js';
import type { Alert, Question } from './store.js';

export async function afterReading(questions: readonly Question[], alerts: readonly Alert[]): Promise<void> {
  // Each is worth a try, and none is worth a message to the person: the next reading does it again.
  await Promise.allSettled([
    keepLists({ owner: speaker.value, asOf: Date.now(), questions, alerts }),
    share([...questions, ...alerts]),
    closeNotifications(questions),
  ]);
}

async function share(signals: readonly (Question | Alert)[]): Promise<void> {
  const owed = signals.filter(({ missingWraps }) => missingWraps !== undefined && missingWraps.length > 0);
  const device = await readDevice();
  if (device === undefined || owed.length === 0) return;
  const { fetchReaders, shareSignals } = await import('../device/sealing.js');
  // One page of this browser is enough.
  await navigator.locks.request('coterie-share', { ifAvailable: true }, async (lock) => {
    if (lock !== null) await shareSignals(device, owed, await fetchReaders());
  });
}

async function closeNotifications(questions: readonly Question[]): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration === undefined) return;
  const over = new Set(questions.filter(({ status }) => status !== 'pending').map(({ id }) => id));
  const shown = await withNotifications(() => registration.getNotifications());
  for (const notification of shown) if (over.has(notification.tag)) notification.close();
}
