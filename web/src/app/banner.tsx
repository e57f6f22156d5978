// One banner at a time, the worst first.
import type { ComponentChildren } from 'preact';
import { notSent } from '../data/answers.js';
import { now } from '../data/clock.js';
import { hub, isRevoked, isSecurePage, me } from '../data/hub.js';
import { connection, isOnline, tryNow } from '../data/live.js';
import { loading } from '../data/store.js';
import { isUpdated } from '../data/worker.js';
import { Icon, type IconName } from '../parts/icon.js';
import { atTime } from '../parts/words/time-words.js';

interface BannerText {
  tone?: 'bad' | 'warn';
  icon: IconName;
  text: ComponentChildren;
  action?: ComponentChildren;
}

export function Banner() {
  const banner = current();
  if (banner === undefined) return null;
  return (
    <div class={`banner${banner.tone === undefined ? '' : ` banner-${banner.tone}`}`} role="status">
      <Icon name={banner.icon} />
      <p>{banner.text}</p>
      {banner.action}
    </div>
  );
}

function current(): BannerText | undefined {
  if (!isOnline.value) return offline();
  const { state, failures } = connection.value;
  if (state === 'reconnecting') return failures > 1 ? noHub() : reconnecting();
  if (isRevoked.value || loading.value.error?.code === 'SIGN_IN_FAILED') return revoked();
  return refusal() ?? unsent() ?? (isUpdated.value ? updated() : notSecure());
}

function asOf(): string {
  const at = loading.value.asOf;
  return at === undefined ? '' : atTime(at, now.value);
}

function offline(): BannerText {
  return {
    icon: 'off',
    text: (
      <>
        <b>You are offline.</b> {asOf() !== '' && `You see what was here ${asOf()}. `}Answers are kept and sent later.
      </>
    ),
  };
}

function reconnecting(): BannerText {
  return {
    icon: 'off',
    text: (
      <>
        <b>Reconnecting.</b> {asOf() !== '' && `What you see was read ${asOf()}.`}
      </>
    ),
  };
}

function noHub(): BannerText {
  const seconds = Math.max(0, Math.ceil(((connection.value.retryAt ?? 0) - now.value) / 1_000));
  return {
    tone: 'bad',
    icon: 'error',
    text: (
      <>
        <b>The hub does not answer.</b> {seconds > 0 ? `Next try in ${seconds} s.` : 'Trying now.'} Nothing is lost: it
        keeps what it acknowledged.
      </>
    ),
    action: (
      <button class="btn" type="button" onClick={tryNow}>
        Try now
      </button>
    ),
  };
}

function refusal(): BannerText | undefined {
  const { error, isLoaded } = loading.value;
  // The page itself says so when it has nothing to show.
  if (error === undefined || !isLoaded) return undefined;
  return {
    tone: 'bad',
    icon: 'error',
    text: (
      <>
        <b>{error.message}</b> {error.hint} {error.code}
      </>
    ),
  };
}

function revoked(): BannerText {
  return {
    tone: 'bad',
    icon: 'shield',
    text: (
      <>
        <b>This device was revoked.</b> It can no longer open questions or answer as a device.
      </>
    ),
    action: (
      <a class="btn" href="/app/pair">
        Pair again
      </a>
    ),
  };
}

function unsent(): BannerText | undefined {
  const count = notSent.value;
  if (count === 0) return undefined;
  return {
    tone: 'warn',
    icon: 'warning',
    text: (
      <>
        <b>{count === 1 ? '1 message was not sent.' : `${count} messages were not sent.`}</b> The sign-in under which
        you wrote {count === 1 ? 'it' : 'them'} ended first.
      </>
    ),
    action: (
      <button class="btn" type="button" onClick={() => (notSent.value = 0)}>
        OK
      </button>
    ),
  };
}

function updated(): BannerText {
  return {
    icon: 'info',
    text: 'The hub was updated. Load the new page when you are ready.',
    action: (
      <button class="btn" type="button" onClick={() => location.reload()}>
        Load
      </button>
    ),
  };
}

function notSecure(): BannerText | undefined {
  if (isSecurePage || hub.value === undefined || me.value === undefined) return undefined;
  return {
    tone: 'warn',
    icon: 'warning',
    text: (
      <>
        <b>No push on this address.</b> A browser allows push and keys over https only.
      </>
    ),
    action: (
      <a class="btn" href="/app/settings#https">
        How to
      </a>
    ),
  };
}
