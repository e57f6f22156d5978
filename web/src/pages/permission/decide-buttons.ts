// Which answers a permission prompt takes from this browser, and why not.
import type { SignedIn } from '../../data/types.js';

export interface PromptFacts {
  signedIn: SignedIn | undefined;
  /** True if the hash of the call that is shown is the one that the answer will be bound to; undefined until computed. */
  isHashRight: boolean | undefined;
  isSenderKnown: boolean;
  /** All of the call was on the page. */
  isWhole: boolean;
}

export type Obstacle = 'not_paired' | 'not_verified' | 'call_changed' | 'key_changed';

export interface Buttons {
  mayAllow: boolean;
  mayDeny: boolean;
  obstacle?: Obstacle;
}

export function decideButtons({ signedIn, isHashRight, isSenderKnown, isWhole }: PromptFacts): Buttons {
  const off = { mayAllow: false, mayDeny: false };
  if (signedIn?.deviceId === undefined) return { ...off, obstacle: 'not_paired' };
  if (signedIn.verified !== true) return { ...off, obstacle: 'not_verified' };
  if (!isSenderKnown) return { ...off, obstacle: 'key_changed' };
  // Also of a call that was too long to be sent whole. To deny it is always safe.
  if (isHashRight === false) return { mayAllow: false, mayDeny: true, obstacle: 'call_changed' };
  return { mayAllow: isHashRight === true && isWhole, mayDeny: isHashRight === true };
}
