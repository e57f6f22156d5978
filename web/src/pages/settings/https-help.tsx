// This address is not https: why that matters, and what works in spite of it.
import { Icon } from '../../parts/icon.js';
import { Section } from '../../parts/section.js';
import { State } from '../../parts/state.js';

export function HttpsHelp() {
  return (
    <Section id="https" title="This address is not https">
      <State tone="warn" icon="warning" title="This browser cannot become a device here.">
        Browsers keep keys and take pushes only for pages over https, or on the hub’s own machine. You can read and
        answer what is not encrypted to devices.
      </State>
      <ul class="can rows-gap">
        <li>
          <Icon name="shield" />
          <div>
            <h3>A tunnel or a reverse proxy</h3>
            <p>
              It gives the hub an https address: for example <code>tailscale serve</code>, Cloudflare Tunnel or Caddy.
              Then start the hub with <code>--public-url</code> and open that address.
            </p>
          </div>
        </li>
        <li>
          <Icon name="phone" />
          <div>
            <h3>ntfy</h3>
            <p>
              Its app gets pushes without https on this side. An encrypted question arrives as “someone asks”, one that
              is not encrypted with its options.
            </p>
          </div>
        </li>
        <li>
          <Icon name="inbox" />
          <div>
            <h3>The terminal</h3>
            <p>
              <code>coterie questions</code> and <code>coterie answer</code> work on the hub’s machine.
            </p>
          </div>
        </li>
      </ul>
    </Section>
  );
}
