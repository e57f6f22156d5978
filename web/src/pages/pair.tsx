// Pairs this browser with a person: by a link, whose secret is in the fragment, opened or pasted, or by a code.
import { useState } from 'preact/hooks';
import { readPairingLink } from '../../../src/contract/signal/pairing-link.js';
import { readPlatform } from '../device/platform.js';
import { hub, isSecurePage } from '../data/hub.js';
import { Bones } from '../parts/bones.js';
import { ByCode } from './pair/by-code.js';
import { ByLink } from './pair/by-link.js';
import { InstallFirst } from './pair/install-first.js';
import { PairDone } from './pair/pair-done.js';
import { takenFragment } from './pair/taken-fragment.js';
import { HttpsHelp } from './settings/https-help.js';
import type { Paired } from '../device/pair.js';

const fragment = takenFragment('/app/pair');

export function PairPage() {
  return <Pairing key={fragment.value} given={fragment.value} />;
}

function Pairing({ given }: { given: string }) {
  const [paired, setPaired] = useState<Paired>();
  const [link, setLink] = useState(() => readPairingLink(given));
  const [mustInstall, setMustInstall] = useState(() => readPlatform().mustInstallFirst);
  const keys = hub.value?.hub;
  if (!isSecurePage) return <HttpsHelp />;
  if (hub.value === undefined || keys === undefined) return <Bones label="Asking the hub" />;
  if (paired !== undefined) return <PairDone paired={paired} />;
  if (mustInstall) return <InstallFirst onPairHere={() => setMustInstall(false)} />;
  return (
    <div class="focus">
      {link === undefined ? (
        <ByCode
          hubName={hub.value.name}
          keys={keys}
          isLinkBroken={given !== '' && readPairingLink(given) === undefined}
          onLink={setLink}
          onPaired={setPaired}
        />
      ) : (
        <ByLink
          hubName={hub.value.name}
          keys={keys}
          link={link}
          onPaired={setPaired}
          onTypeCode={() => setLink(undefined)}
        />
      )}
    </div>
  );
}
