// The fragment of a link with a secret. It is taken at once: the secret must not stay in the address bar or the history.
import { signal, type ReadonlySignal } from '@preact/signals';

/** Empty without one. Also that of a link which is pasted while the page is open: then only the fragment changes. */
export function takenFragment(path: string): ReadonlySignal<string> {
  const taken = signal('');
  const take = () => {
    const { hash, pathname } = location;
    // Another one names a place of the page, such as its content.
    if (hash === '' || pathname !== path || document.getElementById(hash.slice(1)) !== null) return;
    history.replaceState(null, '', pathname);
    taken.value = hash;
  };
  take();
  addEventListener('hashchange', take);
  return taken;
}
