// Sessions that this administrator has: made and closed.
import { useState } from 'preact/hooks';
import type { ListedSessionView } from '../../../../src/contract/session.js';
import { call } from '../../data/api.js';
import { hub } from '../../data/hub.js';
import { spellHidden } from '../../parts/hidden-chars.js';
import { Section } from '../../parts/section.js';
import { ErrorState } from '../../parts/state.js';
import { Time } from '../../parts/words/time.js';
import { useWork } from '../settings/use-work.js';
import { Confirm } from './confirm.js';
import { Field } from './field.js';
import { Listed } from './listed.js';
import { usePages } from './use-pages.js';

export function Sessions() {
  const pages = usePages<ListedSessionView>('list_sessions', 'sessions');
  return (
    <Section id="h-sessions" title="Sessions">
      <div class="stack-m">
        <Listed pages={pages} none="No sessions." keyOf={({ sessionId }) => sessionId}>
          {(session) => <SessionRow session={session} onChange={pages.again} />}
        </Listed>
        <NewSession onMade={pages.again} />
      </div>
    </Section>
  );
}

function SessionRow({ session, onChange }: { session: ListedSessionView; onChange: () => Promise<void> }) {
  const { sessionId, status, application, agents, threads, lastSeq, closeReason, createdAt } = session;
  const { isBusy, error, run } = useWork();
  const isOwn = sessionId === (hub.value?.signedIn?.session ?? 'default');
  const close = () =>
    run(async () => {
      await call('close_session', { sessionId });
      await onChange();
    });
  return (
    <div class="row row-2">
      <div class="row-main">
        <p>
          <b class="mono">{spellHidden(sessionId)}</b>
          {application !== undefined && <bdi> {spellHidden(application)}</bdi>}
          {isOwn && <span class="row-sub"> this page’s</span>}
        </p>
        <p class="row-sub">
          {agents} members, {threads} threads, {lastSeq} messages, {status}
          {closeReason !== undefined && <bdi>: {spellHidden(closeReason)}</bdi>}
        </p>
        {status === 'open' && (
          <div class="btn-row">
            <Confirm act="Close" target={`session ${sessionId}`} isBusy={isBusy} onConfirm={() => void close()} />
          </div>
        )}
        {error !== undefined && <ErrorState error={error} />}
      </div>
      <Time at={createdAt} />
    </div>
  );
}

function NewSession({ onMade }: { onMade: () => Promise<void> }) {
  const [sessionId, setSessionId] = useState('');
  const [application, setApplication] = useState('');
  const { isBusy, error, run } = useWork();
  const create = () =>
    run(async () => {
      const given = { sessionId: sessionId.trim(), application: application.trim() };
      await call('create_session', Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')));
      setSessionId('');
      setApplication('');
      await onMade();
    });
  return (
    <form
      class="fields-stack"
      aria-label="Make a session"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <Field label="Id of the session, made by the hub if empty" value={sessionId} onChange={setSessionId} />
      <Field label="What it is for, may be empty" value={application} onChange={setApplication} />
      <div class="btn-row">
        <button class="btn" type="submit" disabled={isBusy}>
          Make a session
        </button>
      </div>
      {error !== undefined && <ErrorState error={error} />}
    </form>
  );
}
