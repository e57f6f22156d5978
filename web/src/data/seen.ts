// Up to when this browser's person has seen the alerts. Kept here: it is not worth telling the hub.
import { computed, signal } from '@preact/signals';
import { alerts } from './store.js';

const key = 'coterie-alerts-seen';

const seenUntil = signal(stored());

export const unseen = computed(() => alerts.value.filter(({ sentAt }) => sentAt > seenUntil.value));

export function markAllSeen(): void {
  const newest = alerts.value.map(({ sentAt }) => sentAt).reduce((a, b) => (a > b ? a : b), seenUntil.value);
  seenUntil.value = newest;
  try {
    localStorage.setItem(key, newest);
  } catch {
    // A browser may refuse to keep anything: then it is seen until the page is closed.
  }
}

function stored(): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}
