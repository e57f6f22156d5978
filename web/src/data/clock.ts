// The time as a signal, for words such as "36 min left".
import { computed, signal } from '@preact/signals';

export const now = signal(Date.now());

/** The same, for words that need no seconds: what reads it is drawn once a minute. */
export const minute = computed(() => Math.floor(now.value / 60_000) * 60_000);

const tickMs = 1_000;

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, tickMs);
document.addEventListener('visibilitychange', () => {
  now.value = Date.now();
});
