// Names in a text: the reader's own is marked, those of the team lead to their page.
import type { ComponentChildren } from 'preact';
import { me } from '../data/hub.js';
import { memberIds } from '../data/team.js';
import { spellHidden } from './hidden-chars.js';

/** For places that are links themselves: only the reader's own name is marked. */
export function WithMentions({ text }: { text: string }) {
  return <>{mentionsIn(text, (id) => (id === me.value ? <Mention id={id} /> : undefined))}</>;
}

export function linkedMentions(text: string): ComponentChildren[] {
  return mentionsIn(text, (id) => {
    if (id === me.value) return <Mention id={id} />;
    if (!memberIds.value.has(id)) return undefined;
    return (
      <a class="mention" href={`/app/agent/${id}`}>
        @{id}
      </a>
    );
  });
}

function Mention({ id }: { id: string }) {
  return <span class="mention mention-you">@{id}</span>;
}

/** Ids as the contract forms them. A dot or a dash at the end belongs to the sentence. */
const named = /@([A-Za-z0-9][A-Za-z0-9._-]{0,63})/g;

function mentionsIn(text: string, show: (id: string) => ComponentChildren): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { index, 1: written = '' } of text.matchAll(named)) {
    const id = written.replace(/[._-]{1,64}$/, '');
    const shown = isWordBefore(text, index) ? undefined : (show(id) ?? undefined);
    if (shown === undefined) continue;
    parts.push(...spellHidden(text.slice(end, index)), shown);
    end = index + 1 + id.length;
  }
  return [...parts, ...spellHidden(text.slice(end))];
}

/** As in an address for mail. */
function isWordBefore(text: string, index: number): boolean {
  return index > 0 && /[\w.]/.test(text[index - 1] ?? '');
}
