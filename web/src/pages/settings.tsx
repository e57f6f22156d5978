// Settings: this browser, notifications, devices, keys, quiet hours, channels, the hub.
import { hub, isSecurePage } from '../data/hub.js';
import { isAdmin, isPerson } from '../data/rights.js';
import { About } from './settings/about.js';
import { Channels } from './settings/channels.js';
import { Devices } from './settings/devices.js';
import { HttpsHelp } from './settings/https-help.js';
import { Notifications } from './settings/notifications.js';
import { QuietHours } from './settings/quiet-hours.js';
import { RenewKeys } from './settings/renew-keys.js';
import { SignOut } from './settings/sign-out.js';
import { ThisBrowser } from './settings/this-browser.js';

export function SettingsPage() {
  const deviceId = hub.value?.signedIn?.deviceId;
  const isDevice = deviceId !== undefined;
  const hasKey = hub.value?.signedIn?.keyId !== undefined;
  return (
    <div class="cols">
      <div class="stack">
        {!isSecurePage && <HttpsHelp />}
        {hasKey && <SignOut />}
        {!isDevice && !hasKey && isSecurePage && <ThisBrowser />}
        {isDevice && <Notifications />}
        {isPerson.value && <Devices key={deviceId} />}
        {isDevice && <RenewKeys />}
        {isPerson.value && <QuietHours />}
        {isPerson.value && <Channels key={deviceId} />}
      </div>
      <aside class="aside" aria-label="About">
        <About />
        {isAdmin.value && (
          <p>
            <a href="/app/admin">Administration: groups, keys, sessions, notices, audit log</a>
          </p>
        )}
      </aside>
    </div>
  );
}
