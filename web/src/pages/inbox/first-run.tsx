// Nothing has happened yet: how to connect an agent, how to try it, how to pair a phone.
import { signal } from '@preact/signals';
import { hub } from '../../data/hub.js';
import { team } from '../../data/team.js';
import type { ConnectLine } from '../../data/types.js';
import { Chip } from '../../parts/chip.js';
import { Copy } from '../../parts/copy.js';
import { Icon, type IconName } from '../../parts/icon.js';

const chosen = signal<string | undefined>(undefined);

export function FirstRun() {
  const isAlone = team.value.length === 0;
  return (
    <div class="cols">
      <div class="stack">
        <div>
          <h2 class="lead">{isAlone ? 'Nothing here yet. Connect an agent.' : 'Nothing here yet.'}</h2>
          <p class="muted lead-sub">
            {isAlone ? 'The hub runs. No agent has called it. ' : ''}What agents ask you appears here.
          </p>
        </div>
        <ol class="steps">
          <li>
            <h3>Connect an agent</h3>
            <p class="small muted">
              {hub.value?.mode === 'keys'
                ? 'Each agent has its own key: set COTERIE_KEY where its client starts. No line here contains one.'
                : 'One name for each agent. The name in the address is who speaks.'}
            </p>
            <ConnectLines lines={hub.value?.connect ?? []} />
          </li>
          <li>
            <h3>Let it ask you something</h3>
            <p class="small muted">Tell the agent, in your own words:</p>
            <Copy
              label="the sentence"
              text="Ask me with ask_question which branch to use, and wait for my answer with get_response."
            />
          </li>
          <li>
            <h3>Or try it without an agent</h3>
            <p class="small muted">
              This asks you a question from the terminal and waits. In a clone, write npx before it.
            </p>
            <Copy label="the command" text={tryLine()} />
          </li>
        </ol>
        <p class="live wait-line">Listening. The first question appears here by itself.</p>
      </div>
      <Aside />
    </div>
  );
}

/** With keys, the key says who asks. */
function tryLine(): string {
  const known = hub.value;
  const as = known?.mode === 'keys' ? '' : ' --as terminal';
  return `coterie ask "Does this work?" --option Yes --option No --wait${as} --url ${known?.url ?? location.origin}`;
}

function ConnectLines({ lines }: { lines: readonly ConnectLine[] }) {
  const line = lines.find(({ id }) => id === chosen.value) ?? lines[0];
  if (line === undefined) return <Copy label="the command" text="coterie connect" />;
  return (
    <>
      <div class="chips" role="group" aria-label="How the agent connects">
        {lines.map(({ id, client }) => (
          <Chip key={id} isOn={id === line.id} onClick={() => (chosen.value = id)}>
            {client}
          </Chip>
        ))}
      </div>
      {line.file !== undefined && <p class="small muted">In {line.file}:</p>}
      <Copy label={`the line for ${line.client}`} text={line.text} />
    </>
  );
}

const abilities: readonly { icon: IconName; title: string; text: string }[] = [
  { icon: 'inbox', title: 'Answer', text: 'By option or in your own words, here or on your phone.' },
  { icon: 'shield', title: 'Allow or deny', text: 'A tool call comes whole. Silence is never a yes or a no.' },
  { icon: 'threads', title: 'Reply', text: 'Agents write to you; you write back.' },
];

function Aside() {
  const known = hub.value;
  return (
    <aside class="aside" aria-label="What you can do">
      <section aria-labelledby="h-can">
        <div class="sec-head">
          <h2 id="h-can">What you can do here</h2>
        </div>
        <ul class="can">
          {abilities.map(({ icon, title, text }) => (
            <li>
              <Icon name={icon} />
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="h-phone">
        <div class="sec-head">
          <h2 id="h-phone">Your phone</h2>
        </div>
        <p class="small muted">Push, encryption and permission prompts need a paired device.</p>
        <div class="btn-row rows-gap">
          <a class="btn" href="/app/settings">
            Pair a phone
          </a>
        </div>
      </section>
      {known !== undefined && known.mode === 'open' && known.signedIn === undefined && (
        <p class="fact small muted">
          <Icon name="unlock" />
          <span>
            No sign-in: this hub answers on this machine only, and you are the local person. A paired device adds push,
            encryption and permission prompts.
          </span>
        </p>
      )}
    </aside>
  );
}
