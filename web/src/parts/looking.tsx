// In place of an inbox, for someone who only looks on.
import { State } from './state.js';

export function Looking() {
  const actions = (
    <a class="btn btn-main" href="/app/threads">
      To the threads
    </a>
  );
  return (
    <State icon="shield" title="You are looking on." actions={actions}>
      An observer has no inbox, sees threads that are not private, and changes nothing.
    </State>
  );
}
