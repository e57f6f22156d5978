// What happens when the page is opened: who is signed in, then the lists, then the live stream.
import { effect } from '@preact/signals';
import { signInAgain } from '../device/call-hub.js';
import { keepDevice, readDevice, readRenewal } from '../device/identity.js';
import { onChange } from './announce.js';
import { followOutbox } from './answers.js';
import { get, Refused, Unreachable } from './api.js';
import { hub, isByKey, isRevoked } from './hub.js';
import { keepHub, keptHub } from './kept.js';
import { failedToConnect, follow, onHint, reconnect, waitToRetry } from './live.js';
import { sendKept } from './outbox.js';
import { isOtherSignIn, signInName } from './owner.js';
import { isIn } from './rights.js';
import { followSignIn, startAnew } from './sign-in-end.js';
import { refresh, showKept } from './store.js';
import { followTeam } from './team.js';
import { followThreads } from './threads/threads.js';
import type { HubInfo } from './types.js';
import { startWorker } from './worker.js';

export async function start(): Promise<void> {
  onHint((hint) => {
    void refresh(hint);
    // The stream is open: what waits can be sent.
    if (hint === 'all') void cameBack().catch(leaveToBanner);
  });
  onChange((change) => {
    if (change === 'signals') void refresh('signals');
    if (change === 'device') void afterPairing();
  });
  void startWorker();
  await loadHubAtLast();
  // At once, or when the browser has been paired.
  let isFollowing = false;
  effect(() => {
    if (isFollowing || !isIn.value) return;
    isFollowing = true;
    // Another page of the browser may hold the stream already.
    void refresh();
    follow();
    followSignIn();
    followTeam();
    followThreads();
    void showKept();
    void followOutbox();
  });
}

/** The hub did not answer when the page was opened. */
let isFromBefore = false;

/** Reads it again after pairing, signing in or out. Without an answer, what it said at the last visit. */
async function loadHub(): Promise<void> {
  try {
    const info = await readHub();
    if (isOtherSignIn(shownFor, info)) return await startAnew();
    show(info);
    isFromBefore = false;
    await keepHub(info);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const kept = hub.value ?? (await keptHub());
    if (kept === undefined) throw error;
    show(kept);
    isFromBefore = true;
  }
}

/** The last sign-in for which the page has read something. */
let shownFor: HubInfo | undefined;

function show(info: HubInfo): void {
  hub.value = info;
  if (signInName(info) !== undefined) shownFor = info;
}

async function loadHubAtLast(): Promise<void> {
  for (;;) {
    try {
      return await loadHub();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await waitToRetry(failedToConnect());
    }
  }
}

async function readHub(): Promise<HubInfo> {
  const info = await get<HubInfo>('/app/hub');
  const device = await readDevice();
  if (device === undefined) return info;
  if (info.signedIn === undefined) return (await trySignIn()) ? get<HubInfo>('/app/hub') : info;
  // It may have been renamed elsewhere.
  const { deviceId, deviceName: name = device.name } = info.signedIn;
  if (deviceId === device.id && name !== device.name) await keepDevice({ ...device, name });
  return info;
}

async function trySignIn(): Promise<boolean> {
  try {
    return await signInAgain();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    isRevoked.value = error.code === 'SIGN_IN_FAILED';
    return false;
  }
}

/** No answer or a refusal: the next connection tries again. */
function leaveToBanner(error: unknown): void {
  if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
}

async function cameBack(): Promise<void> {
  if (isFromBefore) await loadHub();
  await sendKept();
  if ((await readDevice()) === undefined || isByKey()) return;
  if ((await readRenewal()) !== undefined) await goOnRenewing();
  // For answers that are sealed without a connection.
  await (await import('../device/sealing.js')).fetchReaders();
  await (await import('../device/push-subscription.js')).registerAgain();
}

/** The page was closed, or the connection was lost, while the device got new keys. */
async function goOnRenewing(): Promise<void> {
  await (await import('../device/renew.js')).continueRenewal();
  await afterPairing();
}

/** Who speaks has changed: everything is read anew, over a new stream. */
export async function afterPairing(): Promise<void> {
  isRevoked.value = false;
  await loadHub();
  reconnect();
  await refresh('all');
}
