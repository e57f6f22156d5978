// A sender seals with another key than before: the person says whether that is right.
import { State } from './state.js';

export interface KeyChangedProps {
  asker: string;
  /** The hub sealed it, not the asker's program: its key was pinned when this device was paired. */
  isOfHub?: boolean;
  onAccept: () => void;
}

export function KeyChanged({ asker, isOfHub = false, onAccept }: KeyChangedProps) {
  return isOfHub ? (
    <State
      tone="bad"
      icon="shield"
      title="The hub seals with another key than when this device was paired."
      actions={
        <a class="btn" href="/app/pair">
          Pair again
        </a>
      }
    >
      That is so after its secret was replaced, or if it is another hub. Ask who runs it before you pair again.
    </State>
  ) : (
    <State
      tone="bad"
      icon="shield"
      title={
        <>
          <bdi>{asker}</bdi> signs with another key than before.
        </>
      }
      actions={
        <button class="btn" type="button" onClick={onAccept}>
          I know why: accept the new key
        </button>
      }
    >
      That is so after its program moved to another machine, or if someone else speaks in its name. Ask where it runs
      before you accept.
    </State>
  );
}
