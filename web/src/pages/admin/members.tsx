// Agents and people of this session: what wakes them is changed here, and an agent can be removed. A person stays: whoever could
// remove one could then be one.
import { useState } from 'preact/hooks';
import type { AgentView } from '../../../../src/contract/agent.js';
import { call } from '../../data/api.js';
import { now } from '../../data/clock.js';
import { hub, me } from '../../data/hub.js';
import { refreshTeam } from '../../data/team.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Presence } from '../../parts/presence.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { Who } from '../../parts/who.js';
import { duration } from '../../parts/words/time-words.js';
import { useReading, useWork } from '../settings/use-work.js';
import { Confirm } from './confirm.js';
import { Listed } from './listed.js';
import { Preferences } from './preferences.js';
import { useSlices } from './use-slices.js';

async function readMembers(): Promise<AgentView[]> {
  const { agents } = await call<{ agents: AgentView[] }>('list_agents', {});
  return agents.filter(({ kind }) => kind !== 'system');
}

export function Members() {
  const pages = useSlices(useReading(readMembers));
  return (
    <Section id="h-members" title="Agents and people">
      <div class="stack-m">
        <Listed pages={pages} none="Nobody yet." keyOf={({ id }) => id}>
          {(member) => <MemberRow member={member} onChange={pages.again} />}
        </Listed>
      </div>
    </Section>
  );
}

function MemberRow({ member, onChange }: { member: AgentView; onChange: () => Promise<void> }) {
  const { id, name, kind, presence, unread = 0, lastSeen } = member;
  const { isBusy, error, run } = useWork();
  const [isOpen, setOpen] = useState(false);
  const isPerson = kind === 'human';
  const isSelf = id === me.value;
  const remove = () =>
    run(async () => {
      await call('remove_agent', { agentId: id });
      await Promise.all([onChange(), refreshTeam()]);
    });
  return (
    <div class="row">
      <Who id={id} />
      <div class="row-main">
        <p>
          <a href={`/app/agent/${encodeURIComponent(id)}`}>
            <b>
              <bdi>{spellHidden(name)}</bdi>
            </b>
          </a>{' '}
          {name !== id && <span class="mono row-sub">{spellHidden(id)}</span>}
          {isPerson && <span class="row-sub"> a person</span>}
        </p>
        <p class="row-sub">
          <span class="presence">
            <Presence state={presence} />
            {presence}
          </span>
          {lastSeen !== undefined && ` · seen ${duration(now.value - Date.parse(lastSeen))} ago`} · {unread} unread
        </p>
        <div class="btn-row">
          {/* Without keys every agent could, so that there nobody decides what another person hears of. */}
          {(!isPerson || isSelf || hub.value?.mode === 'keys') && (
            <button class="btn btn-quiet" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              Notifications<span class="vh"> of {spellHidden(id)}</span>
            </button>
          )}
          {!isPerson && !isSelf && (
            <Confirm
              act="Remove"
              target={id}
              warning={`It leaves its threads${unread === 0 ? '' : `, and ${unread} unread become dead letters`}.`}
              isBusy={isBusy}
              onConfirm={() => void remove()}
            />
          )}
        </div>
        {isOpen && <Preferences id={id} />}
        {error !== undefined && <ErrorState error={error} />}
      </div>
    </div>
  );
}
