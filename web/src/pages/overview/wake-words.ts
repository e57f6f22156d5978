// When mail reaches an agent, in words. A function of its arguments alone.
import type { Member } from '../../data/team.js';

export function wakeWords({ presence, kind, wake }: Member): { text: string; isLost: boolean } {
  if (presence === 'waiting') return { text: 'at once, while it waits', isLost: false };
  // The hub's own words, where it knows a way.
  if (wake?.text !== undefined) return { text: wake.text, isLost: /no (?:wake route|way)/.test(wake.text) };
  if (kind === 'human') return { text: 'in the app', isLost: false };
  return { text: presence === 'offline' ? 'when it comes back' : 'at its next call', isLost: false };
}
