// Settings: this browser, notifications, devices, keys, quiet hours, channels, the hub.
import { hub, isSecurePage } from '../data/hub.js';
import { About } from './settings/about.js';
import { Channels } from './settings/channels.js';
import { Devices } from './settings/devices.js';
import { HttpsHelp } from './settings/https-help.js';
import { Notifications } from './settings/notifications.js';
import { QuietHours } from './settings/quiet-hours.js';
import { RenewKeys } from './settings/renew-keys.js';
import { ThisBrowser } from './settings/this-browser.js';

export function SettingsPage() {
  const deviceId = hub.value?.signedIn?.deviceId;
  const isDevice = deviceId !== undefined;
  return (
    <div class="cols">
      <div class="stack">
        {!isSecurePage && <HttpsHelp />}
        {!isDevice && isSecurePage && <ThisBrowser />}
        {isDevice && <Notifications />}
        <Devices key={deviceId} />
        {isDevice && <RenewKeys />}
        <QuietHours />
        <Channels key={deviceId} />
      </div>
      <aside class="aside" aria-label="About">
        <About />
      </aside>
    </div>
  );
}
