// A thread as it went: a slider over its history, played at any speed. The link names the message that is reached.
import { useEffect, useMemo } from 'preact/hooks';
import { inQuery } from '../app/router.js';
import type { PageProps } from '../app/routes.js';
import { useTitle } from '../app/title.js';
import { Replay } from '../data/replay/replay.js';
import { ThreadSource } from '../data/replay/sources.js';
import { Bones } from '../parts/bones.js';
import { spelled } from '../parts/hidden-chars.js';
import { ErrorState } from '../parts/state.js';
import { Controls } from './replay/controls.js';
import { Said } from './replay/said.js';

export function ReplayPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const { source, replay } = useMemo(() => {
    const made = new ThreadSource(id);
    return { source: made, replay: new Replay(made) };
  }, [id]);
  useEffect(() => replay.open(inQuery('at')), [replay]);
  const thread = source.thread.value;
  const range = replay.range.value;
  const error = replay.error.value;
  const shown = replay.visible();
  useTitle(thread === undefined ? 'Replay' : `Replay: ${spelled(thread.title)}`);
  if (range === undefined && error === undefined) return <Bones label="Loading the thread" />;
  return (
    <div class="replay-page">
      <Said messages={shown} />
      {error !== undefined && <ErrorState error={error} />}
      {range !== undefined && (
        <Controls replay={replay} range={range} current={shown.at(-1)} label="Position in the thread" />
      )}
      <p class="effect">
        <a href={`/app/thread/${encodeURIComponent(id)}`}>The thread as it is now</a>
      </p>
    </div>
  );
}
