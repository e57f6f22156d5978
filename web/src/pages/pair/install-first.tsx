// On iPhone and iPad: install first, because the installed app has its own storage and only it gets pushes.
import { Icon } from '../../parts/icon.js';

export function InstallFirst({ onPairHere }: { onPairHere: () => void }) {
  return (
    <div class="focus">
      <div>
        <h2 class="lead">Install the app, then pair inside it</h2>
        <p class="muted lead-sub">
          On iPhone and iPad only an installed app gets notifications, and it cannot use the keys of this browser.
        </p>
      </div>
      <ol class="steps">
        <li>
          <h3>Tap Share, then Add to Home Screen</h3>
          <p class="small muted">In Safari the Share button is below or beside the address.</p>
        </li>
        <li>
          <h3>Open Coterie from the Home Screen</h3>
          <p class="small muted">It opens without the browser’s bars.</p>
        </li>
        <li>
          <h3>Type the code there</h3>
          <p class="small muted">
            It stands beside the picture that you scanned. If 5 minutes have passed, make a new one.
          </p>
        </li>
      </ol>
      <p class="fact small muted">
        <Icon name="phone" />
        <span>
          Without notifications you can also{' '}
          <button class="textlink" type="button" onClick={onPairHere}>
            pair this browser
          </button>
          .
        </span>
      </p>
    </div>
  );
}
