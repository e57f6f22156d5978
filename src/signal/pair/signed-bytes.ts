// What a device signs to show that it has its keys. Runs in browsers too.
import { utf8 } from '../envelope/index.js';

/** Signed for `pair`. `ref` is the pairing's id, the code without its dash, or `page` for the page on the hub's machine. */
export function pairingProofBytes({ ref, kid, hubKid }: { ref: string; kid: string; hubKid: string }): Uint8Array {
  return utf8(`${ref}\0${kid}\0${hubKid}`);
}

/** Signed for `sign-in`. */
export function signInBytes(signIn: { challenge: string; deviceId: string; hubKid: string }): Uint8Array {
  return utf8(`${signIn.challenge}\0${signIn.deviceId}\0${signIn.hubKid}`);
}
