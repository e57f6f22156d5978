// A titled part of a page.
import type { ComponentChildren } from 'preact';

export interface SectionProps {
  id: string;
  title: ComponentChildren;
  /** At the end of the title's line. */
  end?: ComponentChildren;
  children: ComponentChildren;
}

export function Section({ id, title, end, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <div class="sec-head">
        <h2 id={id}>{title}</h2>
        {end}
      </div>
      {children}
    </section>
  );
}
