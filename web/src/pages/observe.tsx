// Opens an observer's link: its secret, in the fragment, is exchanged at once for a sign-in that only looks.
import { useEffect, useState } from 'preact/hooks';
import { observerPath, readObserverFragment, type ObserverLink } from '../../../src/contract/signal/observer-link.js';
import { hub, isSecurePage } from '../data/hub.js';
import { signInByLink } from '../data/sign-in.js';
import { Bones } from '../parts/bones.js';
import { ErrorState, State } from '../parts/state.js';
import { takenFragment } from './pair/taken-fragment.js';
import { HttpsHelp } from './settings/https-help.js';
import { useWork } from './settings/use-work.js';
import { NoKeys } from './sign-in.js';
import { SignedInAlready } from './sign-in/signed-in-already.js';

const fragment = takenFragment(observerPath);

export function ObservePage() {
  const known = hub.value;
  const link = readObserverFragment(fragment.value);
  if (!isSecurePage) return <HttpsHelp />;
  if (known === undefined) return <Bones label="Asking the hub" />;
  if (known.mode === 'open') return <NoKeys />;
  if (link === undefined) {
    return (
      <State tone="warn" icon="warning" title="This link is not whole, or was opened before.">
        Its secret is missing. Ask for another one: <code>coterie observe</code>
      </State>
    );
  }
  return <Opening key={fragment.value} link={link} />;
}

function Opening({ link }: { link: ObserverLink }) {
  const [isWanted, setWanted] = useState(false);
  if (hub.value?.signedIn !== undefined && !isWanted) {
    return <SignedInAlready action="Look on with this link" onGoOn={() => setWanted(true)} />;
  }
  return <Exchange link={link} onBegin={() => setWanted(true)} />;
}

function Exchange({ link: given, onBegin }: { link: ObserverLink; onBegin: () => void }) {
  const { error, run } = useWork();
  useEffect(() => {
    // It goes on while the hub says who is signed in now.
    onBegin();
    void run(() => signInByLink(given));
  }, []);
  return error === undefined ? <Bones label="Opening the link" /> : <ErrorState error={error} />;
}
