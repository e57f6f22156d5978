// Settings: this browser, notifications, devices, quiet hours, channels, the hub.
import { hub, isSecurePage } from '../data/hub.js';
import { About } from './settings/about.js';
import { Channels } from './settings/channels.js';
import { Devices } from './settings/devices.js';
import { HttpsHelp } from './settings/https-help.js';
import { Notifications } from './settings/notifications.js';
import { QuietHours } from './settings/quiet-hours.js';
import { ThisBrowser } from './settings/this-browser.js';

export function SettingsPage() {
  const isDevice = hub.value?.signedIn !== undefined;
  return (
    <div class="cols">
      <div class="stack">
        {!isSecurePage && <HttpsHelp />}
        {!isDevice && isSecurePage && <ThisBrowser />}
        {isDevice && <Notifications />}
        <Devices />
        <QuietHours />
        <Channels />
      </div>
      <aside class="aside" aria-label="About">
        <About />
      </aside>
    </div>
  );
}
