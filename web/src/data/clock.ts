// The time as a signal, for words such as "36 min left". Faster while something ends soon.
import { signal } from '@preact/signals';

export const now = signal(Date.now());

const tickMs = 1_000;

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, tickMs);
document.addEventListener('visibilitychange', () => {
  now.value = Date.now();
});
