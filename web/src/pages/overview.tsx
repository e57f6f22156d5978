// The whole session at a glance: what needs attention, who is there, how much is said and between whom.
import { useEffect } from 'preact/hooks';
import { watchOverview } from '../data/overview.js';
import { AgentsSection } from './overview/agents.js';
import { AttentionSection } from './overview/attention.js';
import { DeadLettersSection } from './overview/dead-letters.js';
import { SessionsSection } from './overview/sessions.js';
import { TalkSection } from './overview/talk.js';
import { ThroughputSection } from './overview/throughput.js';

export function OverviewPage() {
  useEffect(watchOverview, []);
  return (
    <div class="stack">
      <AttentionSection />
      <AgentsSection />
      <div class="cols cols-even">
        <ThroughputSection />
        <TalkSection />
      </div>
      <div class="cols cols-even">
        <DeadLettersSection />
        <SessionsSection />
      </div>
    </div>
  );
}
