// Why this browser cannot decide, and what to do about it.
import { KeyChanged } from '../../parts/key-changed.js';
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
        <State tone="bad" icon="error" title="This is not the whole call.">
          What is shown differs from what an answer is bound to: it was cut, or changed. It can be denied here, and
          allowed only at <bdi>{asker}</bdi>’s own prompt.
        </State>
      );
    case 'key_changed':
      return <KeyChanged asker={asker} onAccept={onAcceptKey} />;
  }
}
