// Every question that is answered or over.
import { useEffect, useState } from 'preact/hooks';
import { hasOlder, history, readOlder } from '../data/older.js';
import { loading } from '../data/store.js';
import { Loading } from '../parts/loading.js';
import { OverRow } from '../parts/over-row.js';
import { ErrorState } from '../parts/state.js';

export function HistoryPage() {
  const [error, setError] = useState<Error | undefined>(undefined);
  const read = () => {
    setError(undefined);
    readOlder().catch((thrown: Error) => setError(thrown));
  };
  useEffect(read, []);
  if (!loading.value.isLoaded) return <Loading label="Loading" />;
  if (history.value.length === 0) return <p class="effect">No question is over yet.</p>;
  return (
    <div class="focus">
      <ul class="rows">
        {history.value.map((question) => (
          <OverRow key={question.id} question={question} />
        ))}
      </ul>
      {error !== undefined && <ErrorState error={error} />}
      {hasOlder.value && (
        <button class="btn" type="button" onClick={read}>
          Show older
        </button>
      )}
    </div>
  );
}
