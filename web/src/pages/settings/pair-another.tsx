// Pairs another device from here: a picture to scan and a code to type, for five minutes, once.
import { useEffect, useState } from 'preact/hooks';
import { pairingLink } from '../../../../src/contract/signal/pairing-link.js';
import { isPairingMac, pairingClaim, randomText, toBase64url, utf8 } from '../../../../src/signal/envelope/index.js';
import { call } from '../../data/api.js';
import { now } from '../../data/clock.js';
import { ErrorState, State } from '../../parts/state.js';
import { timeLeft } from '../../parts/words/time-words.js';
import type { ListedDevice } from './device-row.js';
import { QrCode } from './qr-code.js';
import { useWork } from './use-work.js';

const secretBytes = 16;
const waitMs = 20_000;

interface Pairing {
  pairingId: string;
  person: string;
  code: string;
  expiresAt: string;
  hubKid: string;
  url: string | null;
}

interface Started extends Pairing {
  link: string;
  secret: string;
}

interface PairingState {
  state: 'open' | 'paired' | 'ended';
  device?: ListedDevice & { mac: string | null };
}

async function startPairing(): Promise<Started> {
  const secret = randomText(secretBytes);
  const claimHash = await sha256Text(await pairingClaim(secret));
  const pairing = await call<Pairing>('start_pairing', { claimHash });
  const { pairingId, hubKid, url } = pairing;
  return { ...pairing, secret, link: pairingLink(url ?? location.origin, { pairingId, secret, hubKid }) };
}

async function sha256Text(text: string): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))));
}

export function PairAnother({ onPaired }: { onPaired: () => Promise<void> }) {
  const [started, setStarted] = useState<Started>();
  const [ended, setEnded] = useState<PairingState & { isOurs: boolean }>();
  const { isBusy, error, run } = useWork();
  useEffect(() => {
    if (started === undefined) return undefined;
    const watching = new AbortController();
    void watch(started, watching.signal).then(async (state) => {
      if (state === undefined) return;
      setEnded(state);
      setStarted(undefined);
      await onPaired();
    });
    return () => watching.abort();
  }, [started]);
  const start = () =>
    run(async () => {
      setEnded(undefined);
      setStarted(await startPairing());
    });
  return (
    <div class="stack-m">
      {started === undefined ? (
        <div class="btn-row">
          <button class="btn" type="button" disabled={isBusy} onClick={() => void start()}>
            Pair another device
          </button>
        </div>
      ) : (
        <Shown started={started} onStop={() => setStarted(undefined)} />
      )}
      {ended !== undefined && <Ended ended={ended} />}
      {error !== undefined && <ErrorState error={error} />}
    </div>
  );
}

function Shown({ started, onStop }: { started: Started; onStop: () => void }) {
  const isReachable = started.link.startsWith('https:');
  return (
    <div class="stack-m">
      <div class="pair">
        <QrCode text={started.link} label="Pairing link as a QR code" />
        <div class="stack-s">
          <p>Scan this with the phone’s camera. Or open {new URL(started.link).host} there and type:</p>
          <p class="pair-code" dir="ltr">
            {started.code}
          </p>
          <p class="small muted">{timeLeft(Date.parse(started.expiresAt) - now.value)}. It works once.</p>
          <div class="btn-row">
            <button class="textlink" type="button" onClick={onStop}>
              Stop
            </button>
          </div>
        </div>
      </div>
      {!isReachable && (
        <State tone="warn" icon="warning" title="Another machine cannot use this address.">
          A phone needs an https address of the hub: start it with --public-url behind a tunnel or a reverse proxy. On
          this machine another browser can be paired.
        </State>
      )}
    </div>
  );
}

function Ended({ ended }: { ended: PairingState & { isOurs: boolean } }) {
  if (ended.device === undefined) {
    return (
      <State icon="clock" title="The pairing ended without a device.">
        Start another one when you are ready.
      </State>
    );
  }
  if (!ended.isOurs && ended.device.mac !== null) {
    return (
      <State tone="bad" icon="shield" title="Someone else answered this pairing.">
        The keys of “{ended.device.name}” were not made with this link. Revoke it.
      </State>
    );
  }
  return (
    <State tone="good" icon="success" title={`Paired: ${ended.device.name}.`}>
      {ended.isOurs
        ? 'Its keys were checked with the link.'
        : 'It was paired by code: compare its safety number with Verify.'}
    </State>
  );
}

/** Until the pairing was used or is over; undefined if nobody looks any more. */
async function watch(
  { pairingId, person, secret }: Started,
  stopped: AbortSignal,
): Promise<(PairingState & { isOurs: boolean }) | undefined> {
  while (!stopped.aborted) {
    const state = await call<PairingState>('get_pairing', { pairingId, waitMs }).catch(() => undefined);
    if (stopped.aborted) return undefined;
    if (state === undefined) await new Promise((resolve) => setTimeout(resolve, 2_000));
    else if (state.state !== 'open') {
      const { device } = state;
      const mac = device?.mac ?? null;
      const isOurs =
        device !== undefined && mac !== null && (await isPairingMac(secret, { kid: device.kid, person, mac }));
      // The link's secret has proved the keys: that is what a safety number would show.
      if (isOurs) await call('verify_device', { deviceId: device.id }).catch(() => undefined);
      return { ...state, isOurs };
    }
  }
  return undefined;
}
