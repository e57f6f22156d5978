// What an administrator does with a session: agents, devices, groups, keys, sessions, texts of notices, and who did what. Every act is the operation of the same name.
import { isAdmin } from '../data/rights.js';
import { State } from '../parts/state.js';
import { Audit } from './admin/audit.js';
import { Devices } from './admin/devices.js';
import { Groups } from './admin/groups.js';
import { Keys } from './admin/keys.js';
import { Members } from './admin/members.js';
import { Sessions } from './admin/sessions.js';
import { Templates } from './admin/templates.js';

export function AdminPage() {
  if (!isAdmin.value) {
    return (
      <State icon="shield" title="This page is for administrators.">
        Sign in with an admin’s key: <a href="/app/sign-in">Sign in</a>
      </State>
    );
  }
  return (
    <div class="stack">
      <Members />
      <Devices />
      <Groups />
      <Keys />
      <Sessions />
      <Templates />
      <Audit />
    </div>
  );
}
