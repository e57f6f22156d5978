// Every question that is answered or over, as far back as the app holds them.
import { loading, over } from '../data/store.js';
import { Bones } from '../parts/bones.js';
import { OverRow } from '../parts/over-row.js';

export function HistoryPage() {
  if (!loading.value.isLoaded) return <Bones label="Loading" />;
  if (over.value.length === 0) return <p class="effect">No question was asked yet.</p>;
  return (
    <ul class="rows focus-rows">
      {over.value.map((question) => (
        <OverRow key={question.id} question={question} />
      ))}
    </ul>
  );
}
