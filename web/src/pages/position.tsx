// "1 of 3" and the way to the next question that waits.
import { waiting } from '../data/store.js';

export function Position({ id }: { id: string }) {
  const all = waiting.value;
  const at = all.findIndex((question) => question.id === id);
  const next = at === -1 ? all[0] : all[(at + 1) % all.length];
  if (next === undefined || next.id === id) return null;
  return (
    <>
      {at !== -1 && (
        <span class="small muted nowrap">
          {at + 1} of {all.length}
        </span>
      )}
      <a class="textlink next" href={`/app/question/${next.id}`}>
        Next
      </a>
    </>
  );
}
