// The app's words for what wakes a member.
import { expect, it } from 'vitest';
import { defaultNotifyPrefs } from '../../src/contract/notify.js';
import { prefsInWords } from '../src/parts/words/notify-words.js';

it('says what wakes a member that has set nothing', () => {
  expect(prefsInWords(defaultNotifyPrefs)).toBe(
    'Mentions, replies, direct and urgent messages wake it. It gets all notices. ' +
      'Unread notices come as one digest when there are more than 20 or the oldest has waited 60 min.',
  );
});

it('says what is muted, followed and never comes', () => {
  const prefs = {
    muteKinds: ['created' as const, 'closed' as const, 'reopened' as const],
    muteThreads: ['t1'],
    followThreads: ['t2', 't3'],
    quiet: true,
    digestCount: 0,
    digestMinutes: 0,
  };
  expect(prefsInWords(prefs)).toBe(
    'Only urgent messages wake it. ' +
      'It gets no notice when it is put in a new thread, a thread is closed or a thread is reopened. ' +
      '1 thread is muted. 2 threads are followed. Unread notices come one by one, never as a digest.',
  );
  expect(prefsInWords({ ...prefs, digestMinutes: 5 })).toMatch(/ as one digest when the oldest has waited 5 min\.$/);
});
