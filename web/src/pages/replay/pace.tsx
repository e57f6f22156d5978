// How fast a replay plays: so many times as fast as it went, or all of it in a time.
import type { Replay } from '../../data/replay/replay.js';
import { stepOf, timesAt } from '../../data/replay/replay-steps.js';

const wholeIn: readonly { seconds: number; words: string }[] = [
  { seconds: 10, words: 'All of it in 10 s' },
  { seconds: 30, words: 'All of it in 30 s' },
  { seconds: 60, words: 'All of it in 1 min' },
  { seconds: 300, words: 'All of it in 5 min' },
];

export function PaceControls({ replay }: { replay: Replay }) {
  const pace = replay.pace.value;
  return (
    <div class="replay-row">
      <select
        class="field replay-pace"
        aria-label="Pace"
        value={'seconds' in pace ? String(pace.seconds) : ''}
        onChange={({ currentTarget: { value } }) => {
          replay.pace.value = value === '' ? { times: 1 } : { seconds: Number(value) };
        }}
      >
        <option value="">As it went</option>
        {wholeIn.map(({ seconds, words }) => (
          <option value={String(seconds)}>{words}</option>
        ))}
      </select>
      {'times' in pace && (
        <label class="replay-speed">
          <span class="vh">Speed</span>
          <input
            class="replay-slider"
            type="range"
            aria-valuetext={`${pace.times} times as fast`}
            min={0}
            max={100}
            value={stepOf(pace.times)}
            onInput={({ currentTarget }) => {
              replay.pace.value = { times: timesAt(currentTarget.valueAsNumber) };
            }}
          />
          <output>{pace.times.toLocaleString('en')}×</output>
        </label>
      )}
      {'times' in pace && <p class="effect replay-note">Silences are cut to 3 s.</p>}
    </div>
  );
}
