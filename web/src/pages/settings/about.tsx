// The hub, and who is signed in.
import { hub } from '../../data/hub.js';
import { Section } from '../../parts/section.js';

export function About() {
  const known = hub.value;
  if (known === undefined) return null;
  const { signedIn } = known;
  return (
    <Section id="about" title="About">
      <dl class="kv">
        <dt>Hub</dt>
        <dd>
          <bdi>{known.name}</bdi>
        </dd>
        <dt>Address</dt>
        <dd class="mono">{known.url}</dd>
        <dt>Version</dt>
        <dd class="mono">{known.version}</dd>
        <dt>Session</dt>
        <dd>
          <bdi>{signedIn?.session ?? 'default'}</bdi>
        </dd>
        <dt>You are</dt>
        <dd>
          <bdi>{signedIn === undefined ? known.localPerson : (signedIn.personName ?? 'an observer')}</bdi>
          {signedIn === undefined && ', without a device'}
        </dd>
        {known.hub !== undefined && (
          <>
            <dt>Hub’s key</dt>
            <dd class="mono">{known.hub.kid}</dd>
          </>
        )}
      </dl>
      <p class="fact small muted rows-gap">
        <span>
          The hub serves this page, so whoever runs the hub could change what it does. What else is and is not protected
          stands in the hub’s docs, under security.
        </span>
      </p>
    </Section>
  );
}
