// The controls of a replay: a slider over all of it, message by message, and how fast it plays.
import { useEffect } from 'preact/hooks';
import { setQuery } from '../../app/router.js';
import type { Replay } from '../../data/replay/replay.js';
import type { Message } from '../../data/types.js';
import { PaceControls } from './pace.js';

export interface ControlsProps {
  replay: Replay;
  range: { first: number; last: number };
  current: Message | undefined;
  /** What the slider is over. */
  label: string;
}

export function Controls({ replay, range, current, label }: ControlsProps) {
  const isPlaying = replay.isPlaying.value;
  const at = current === undefined ? 'Nothing was said yet' : new Date(current.timestamp).toLocaleString();
  // Not while it plays: a browser limits how often a page changes its address.
  useEffect(() => {
    if (!isPlaying && current !== undefined) setQuery({ at: replay.source.linkTo(current) });
  }, [isPlaying, current?.id]);
  const toggle = () => (isPlaying ? replay.pause() : void replay.play());
  const keys: Record<string, () => void> = {
    ' ': toggle,
    ArrowRight: () => void replay.step(1),
    ArrowUp: () => void replay.step(1),
    ArrowLeft: () => void replay.step(-1),
    ArrowDown: () => void replay.step(-1),
  };
  return (
    <div class="replay" role="group" aria-label="Replay">
      <input
        class="replay-slider"
        type="range"
        aria-label={label}
        aria-valuetext={at}
        min={range.first}
        max={range.last}
        value={replay.position.value}
        onInput={({ currentTarget }) => void replay.seek(currentTarget.valueAsNumber)}
        // A seq is of the session: an arrow moves by a message that is shown instead.
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (act === undefined) return;
          event.preventDefault();
          act();
        }}
      />
      <div class="replay-row">
        <button class="btn btn-main" type="button" onClick={toggle}>
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <button class="btn" type="button" onClick={() => void replay.step(-1)}>
          Back<span class="vh"> by a message</span>
        </button>
        <button class="btn" type="button" onClick={() => void replay.step(1)}>
          Next<span class="vh"> message</span>
        </button>
        <p class="replay-at">{at}</p>
      </div>
      <PaceControls replay={replay} />
    </div>
  );
}
