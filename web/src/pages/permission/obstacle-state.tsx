// Why this browser cannot decide, and what to do about it.
import { State } from '../../parts/state.js';
import type { Obstacle } from './decide-buttons.js';

export interface ObstacleProps {
  obstacle: Obstacle;
  asker: string;
  onAcceptKey: () => void;
}

export function ObstacleState({ obstacle, asker, onAcceptKey }: ObstacleProps) {
  switch (obstacle) {
    case 'not_paired':
      return (
        <State
          tone="warn"
          icon="shield"
          title="This browser is not paired."
          actions={
            <a class="btn" href="/app/settings">
              Pair this browser
            </a>
          }
        >
          Who decides over a tool call must be known. An agent could open this page too.
        </State>
      );
    case 'not_verified':
      return (
        <State
          tone="warn"
          icon="shield"
          title="This device is not verified."
          actions={
            <a class="btn" href="/app/settings">
              Compare the safety number
            </a>
          }
        >
          An agent on the same machine could have paired it. Compare its safety number once, on a device or in the
          terminal, then it can decide.
        </State>
      );
    case 'call_changed':
      return (
        <State tone="bad" icon="error" title="This is not the call that was asked about.">
          The hash differs from the one that an answer would be bound to. Nothing can be answered here;{' '}
          <bdi>{asker}</bdi>’s own prompt decides.
        </State>
      );
    case 'key_changed':
      return (
        <State
          tone="bad"
          icon="shield"
          title={
            <>
              <bdi>{asker}</bdi> signs with another key than before.
            </>
          }
          actions={
            <button class="btn" type="button" onClick={onAcceptKey}>
              I know why: accept the new key
            </button>
          }
        >
          That is so after its program moved to another machine, or if someone else speaks in its name. Ask where it
          runs before you accept.
        </State>
      );
  }
}
