// Why pairing failed, and the next step.
import { WrongHub } from '../../device/pair.js';
import { Refused } from '../../data/api.js';
import { ErrorState, State } from '../../parts/state.js';

export function PairFault({ error, onTypeCode }: { error: Error; onTypeCode?: () => void }) {
  const typeCode = onTypeCode !== undefined && (
    <button class="btn" type="button" onClick={onTypeCode}>
      Type a code
    </button>
  );
  if (error instanceof WrongHub) {
    return (
      <State tone="bad" icon="shield" title="This is not the hub that made the link.">
        Its key is another one than the link names. Do not pair here. If the hub’s secret was replaced, make a new link.
      </State>
    );
  }
  if (error instanceof Refused && error.code === 'PAIRING_INVALID') {
    return (
      <State tone="bad" icon="error" title="This code or link does not work." actions={typeCode}>
        It was wrong, used before, older than 5 minutes, or tried too often. Run <code>coterie pair</code> again, or
        make a new one on the Settings page of a device of yours.
      </State>
    );
  }
  return <ErrorState error={error} actions={typeCode} />;
}
