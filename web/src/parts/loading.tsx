// In place of a page whose data is not there yet, or was refused.
import { loading, refresh } from '../data/store.js';
import { Bones } from './bones.js';
import { ErrorState } from './state.js';

export function Loading({ label }: { label: string }) {
  const { error } = loading.value;
  if (error === undefined) return <Bones label={label} />;
  const again = (
    <button class="btn" type="button" onClick={() => void refresh()}>
      Try again
    </button>
  );
  return <ErrorState error={error} actions={again} />;
}
