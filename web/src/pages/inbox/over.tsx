// The last questions that are answered or over.
import { over } from '../../data/store.js';
import { OverRow } from '../../parts/over-row.js';
import { Section } from '../../parts/section.js';

const shownMax = 5;

export function OverSection() {
  const all = over.value;
  return (
    <Section
      id="h-done"
      title="Answered and over"
      end={
        all.length > shownMax && (
          <a class="textlink end" href="/app/history">
            All {all.length}
          </a>
        )
      }
    >
      {all.length === 0 ? (
        <p class="effect">Nothing yet.</p>
      ) : (
        <ul class="rows">
          {all.slice(0, shownMax).map((question) => (
            <OverRow key={question.id} question={question} />
          ))}
        </ul>
      )}
    </Section>
  );
}
