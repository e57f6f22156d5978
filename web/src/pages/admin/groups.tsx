// Groups that can be sent to: who is in them, set and removed.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GroupView } from '../../../../src/contract/group.js';
import { call } from '../../data/api.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { useReading, useWork } from '../settings/use-work.js';
import { Confirm } from './confirm.js';
import { Field } from './field.js';
import { Listed } from './listed.js';
import { useSlices } from './use-slices.js';

const membersMax = 100;
/** Of everyone: the hub keeps it. */
const everyone = 'all';

async function readGroups(): Promise<GroupView[]> {
  return (await call<{ groups: GroupView[] }>('list_groups', {})).groups;
}

export function Groups() {
  const pages = useSlices(useReading(readGroups));
  const { again } = pages;
  const [chosen, choose] = useState<GroupView>();
  return (
    <Section id="h-groups" title="Groups">
      <div class="stack-m">
        <Listed pages={pages} none="No groups." keyOf={({ name }) => name}>
          {(group) => <GroupRow group={group} onChange={again} onChoose={() => choose(group)} />}
        </Listed>
        <SetGroup key={chosen?.name} from={chosen} onSet={again} />
      </div>
    </Section>
  );
}

interface RowProps {
  group: GroupView;
  onChange: () => Promise<void>;
  onChoose: () => void;
}

function GroupRow({ group: { name, members, unknownMembers = [] }, onChange, onChoose }: RowProps) {
  const { isBusy, error, run } = useWork();
  const remove = () =>
    run(async () => {
      await call('remove_group', { name });
      await onChange();
    });
  return (
    <div class="row row-2">
      <div class="row-main">
        <p>
          <b>
            <bdi>{spellHidden(name)}</bdi>
          </b>
        </p>
        <p class="row-sub">
          {members.length === 0 ? 'Nobody' : <bdi>{spellHidden(members.slice(0, membersMax).join(', '))}</bdi>}
          {members.length > membersMax && ` and ${members.length - membersMax} more`}
          {unknownMembers.length > 0 && `; ${unknownMembers.length} not registered yet`}
        </p>
        {name !== everyone && (
          <div class="btn-row">
            <button class="btn" type="button" onClick={onChoose}>
              Change<span class="vh"> {spellHidden(name)}</span>
            </button>
            <Confirm act="Remove" target={name} isBusy={isBusy} onConfirm={() => void remove()} />
          </div>
        )}
        {error !== undefined && <ErrorState error={error} />}
      </div>
    </div>
  );
}

function SetGroup({ from, onSet }: { from: GroupView | undefined; onSet: () => Promise<void> }) {
  const [name, setName] = useState(from?.name ?? '');
  const [members, setMembers] = useState(from?.members.join(', ') ?? '');
  const { isBusy, error, run } = useWork();
  const form = useRef<HTMLFormElement>(null);
  // It stands below the group that was chosen.
  useEffect(() => {
    if (from !== undefined) form.current?.querySelector('input')?.focus();
  }, []);
  const save = () =>
    run(async () => {
      await call('set_group', { name: name.trim(), members: members.split(/[\s,]/).filter((id) => id !== '') });
      await onSet();
    });
  return (
    <form
      class="fields-stack"
      ref={form}
      aria-label="Set a group"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label="Name of the group" value={name} onChange={setName} />
      <Field label="Members, with commas between" value={members} onChange={setMembers} />
      <div class="btn-row">
        <button class="btn" type="submit" disabled={isBusy || name.trim() === ''}>
          Set the group
        </button>
      </div>
      {error !== undefined && <ErrorState error={error} />}
    </form>
  );
}
