// Who speaks: agents are square, people are round, the hub has no face.
import { people } from '../data/team.js';
import { Icon } from './icon.js';
import { spellHidden } from './hidden-chars.js';

const hues = 6;

export interface WhoProps {
  id: string;
  size?: 's' | 'm' | 'l';
}

export function Who({ id, size = 'm' }: WhoProps) {
  if (id === 'system') return <Icon name="info" />;
  const look = people.value.has(id) ? 'who-person' : `h${hueOf(id)}`;
  return (
    <span class={`who ${look}${size === 'm' ? '' : ` who-${size}`}`} aria-hidden="true">
      {Array.from(id)[0] ?? ''}
    </span>
  );
}

/** The same for an id everywhere, 1 to 6. */
function hueOf(id: string): number {
  let hash = 0;
  for (const char of id) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 9_973;
  return (hash % hues) + 1;
}

export function Name({ id, name }: { id: string; name?: string | undefined }) {
  return (
    <b class="name">
      <bdi>{spellHidden(name ?? id)}</bdi>
    </b>
  );
}
