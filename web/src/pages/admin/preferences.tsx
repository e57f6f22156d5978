// What wakes a member: in words, and changed by an administrator. Members set it themselves, too.
import { useCallback, useState } from 'preact/hooks';
import type { NotifyPrefs } from '../../../../src/contract/notify.js';
import { call } from '../../data/api.js';
import { Bones } from '../../parts/bones.js';
import { ErrorState, State } from '../../parts/state.js';
import { kindWords, prefsInWords } from '../../parts/words/notify-words.js';
import { useReading, useWork } from '../settings/use-work.js';
import { Checks, namesOf } from './checks.js';
import { NumberField } from './field.js';
import { ThreadPicks } from './thread-picks.js';

/** Of the member's threads: offered to choose from, the others by id or title. */
const threadsOffered = 100;

interface Read {
  prefs: NotifyPrefs;
  titles: ReadonlyMap<string, string>;
}

async function readPrefs(agent: string): Promise<Read> {
  const [{ prefs }, { threads }] = await Promise.all([
    call<{ prefs: NotifyPrefs }>('get_notify_prefs', { agent }),
    call<{ threads: { threadId: string; title: string }[] }>('list_threads', {
      participant: agent,
      limit: threadsOffered,
    }),
  ]);
  return { prefs, titles: new Map(threads.map(({ threadId, title }) => [threadId, title])) };
}

export function Preferences({ id }: { id: string }) {
  const { value, error } = useReading(useCallback(() => readPrefs(id), [id]));
  if (error !== undefined) return <ErrorState error={error} />;
  return value === undefined ? <Bones label="Loading the preferences" /> : <Change id={id} read={value} />;
}

/** Numbers as they are typed. */
type Draft = Omit<NotifyPrefs, 'digestCount' | 'digestMinutes'> & { digestCount: string; digestMinutes: string };

function draftOf(prefs: NotifyPrefs): Draft {
  return { ...prefs, digestCount: String(prefs.digestCount), digestMinutes: String(prefs.digestMinutes) };
}

/** Only what was changed: the member may change the rest meanwhile. */
function changesIn(draft: Draft, before: NotifyPrefs): Partial<NotifyPrefs> {
  const after = { ...draft, digestCount: Number(draft.digestCount), digestMinutes: Number(draft.digestMinutes) };
  const changed = namesOf(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

function Change({ id, read: { prefs: first, titles } }: { id: string; read: Read }) {
  const [prefs, setPrefs] = useState(first);
  const [draft, setDraft] = useState(draftOf(first));
  const [isSaved, setSaved] = useState(false);
  const { isBusy, error, run } = useWork();
  const changes = changesIn(draft, prefs);
  const isChanged = Object.keys(changes).length > 0;
  const change = (part: Partial<Draft>) => {
    setSaved(false);
    setDraft({ ...draft, ...part });
  };
  const save = () =>
    run(async () => {
      const saved = await call<{ prefs: NotifyPrefs }>('set_notify_prefs', { agent: id, ...changes });
      setPrefs(saved.prefs);
      setDraft(draftOf(saved.prefs));
      setSaved(true);
    });
  return (
    <form
      class="fields-stack rows-gap"
      aria-label={`Notifications of ${id}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) void save();
      }}
    >
      <p class="effect">{prefsInWords(prefs)}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.quiet}
          onChange={({ currentTarget }) => change({ quiet: currentTarget.checked })}
        />
        Quiet: only what is urgent wakes it
      </label>
      <Checks
        legend="No notice when"
        held={draft.muteKinds}
        options={kindWords}
        onChange={(muteKinds) => change({ muteKinds })}
      />
      <ThreadPicks
        legend="Muted threads: only what is urgent wakes it"
        act="Mute"
        picked={draft.muteThreads}
        titles={titles}
        onChange={(muteThreads) => change({ muteThreads })}
      />
      <ThreadPicks
        legend="Followed threads: every message wakes it"
        act="Follow"
        picked={draft.followThreads}
        titles={titles}
        onChange={(followThreads) => change({ followThreads })}
      />
      <NumberField
        label="One digest for more unread notices than this; 0 is never"
        max={1_000}
        value={draft.digestCount}
        onChange={(digestCount) => change({ digestCount })}
      />
      <NumberField
        label="One digest when the oldest is unread for so many minutes; 0 is never"
        max={43_200}
        value={draft.digestMinutes}
        onChange={(digestMinutes) => change({ digestMinutes })}
      />
      <div class="btn-row">
        <button class="btn" type="submit" disabled={isBusy || !isChanged}>
          Save
        </button>
      </div>
      {error !== undefined && <ErrorState error={error} />}
      {isSaved && (
        <State tone="good" icon="success" title="Saved.">
          It counts for what is sent from now on.
        </State>
      )}
    </form>
  );
}
