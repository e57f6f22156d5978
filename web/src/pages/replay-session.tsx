// The whole session as it went: who wrote to whom, in which thread. The link names the number of the message that is reached.
import { useEffect, useMemo } from 'preact/hooks';
import { inQuery } from '../app/router.js';
import { exportSession, type SessionFormat } from '../data/replay/export-session.js';
import { Replay } from '../data/replay/replay.js';
import { SessionSource } from '../data/replay/sources.js';
import { hub } from '../data/hub.js';
import { isAdmin } from '../data/rights.js';
import type { Message } from '../data/types.js';
import { Bones } from '../parts/bones.js';
import { ExportAs, type ExportProps } from '../parts/export-as.js';
import { providerFormats } from '../parts/export-formats.js';
import { spellHidden } from '../parts/hidden-chars.js';
import { Section } from '../parts/section.js';
import { ErrorState, State } from '../parts/state.js';
import { Controls } from './replay/controls.js';
import { pairsIn, threadsIn } from './replay/part-counts.js';
import { Said } from './replay/said.js';

export function SessionReplayPage() {
  const { source, replay } = useMemo(() => {
    const made = new SessionSource();
    return { source: made, replay: new Replay(made) };
  }, []);
  useEffect(() => replay.open(inQuery('at')), [replay]);
  const range = replay.range.value;
  const error = replay.error.value;
  const shown = replay.visible();
  if (range === undefined && error === undefined) return <Bones label="Loading the session" />;
  if (range?.last === 0) {
    return (
      <State icon="threads" title="Nothing was said yet.">
        What agents write to each other is replayed here.
      </State>
    );
  }
  return (
    <div class="cols">
      <div class="replay-page">
        <Said messages={shown} titles={source.titles.value} />
        {error !== undefined && <ErrorState error={error} />}
        {range !== undefined && (
          <Controls replay={replay} range={range} current={shown.at(-1)} label="Position in the session" />
        )}
        <details>
          <summary class="textlink">Export the session</summary>
          <ExportSession />
        </details>
      </div>
      <aside class="aside aside-sticky" aria-label="About this part">
        <Part shown={shown} titles={source.titles.value} />
      </aside>
    </div>
  );
}

/** The messages on the page, counted. */
function Part({ shown, titles }: { shown: readonly Message[]; titles: ReadonlyMap<string, string> }) {
  return (
    <>
      <Section id="h-pairs" title="Who wrote to whom">
        <ul class="facts part-counts">
          {pairsIn(shown).map(({ from, to, count }) => (
            <li key={`${from} ${to}`}>
              <span>
                <bdi>{spellHidden(from)}</bdi> to <bdi>{spellHidden(to)}</bdi>
              </span>
              <span class="end">{count}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Section id="h-parts" title="In which threads">
        <ul class="facts part-counts">
          {threadsIn(shown).map(({ threadId, count }) => (
            <li key={threadId}>
              <a href={`/app/thread/${encodeURIComponent(threadId)}/replay`}>
                <bdi>{spellHidden(titles.get(threadId) ?? threadId)}</bdi>
              </a>{' '}
              <span class="end">{count}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

const formats: ExportProps<SessionFormat>['formats'] = [
  { format: 'markdown', label: 'Markdown' },
  { format: 'jsonl', label: 'Messages as JSON lines' },
  ...providerFormats,
];
const allFormats: ExportProps<SessionFormat>['formats'] = [
  ...formats,
  { format: 'session', label: 'All of it, for an import' },
];

function ExportSession() {
  const session = hub.value?.signedIn?.session ?? 'default';
  return (
    <ExportAs
      formats={isAdmin.value ? allFormats : formats}
      name={session}
      command={`coterie export --session ${session}`}
      write={(format) => exportSession(session, format)}
    />
  );
}
