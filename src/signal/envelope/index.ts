// Sealed texts: see docs/decisions/0020-signal.md. Shared by the hub, the bridge, the SDK and the page.
export { EnvelopeError, type EnvelopeFault } from './envelope-error.js';
export { callHash } from './call-hash.js';
export { fromBase64url, toBase64url, utf8 } from './bytes.js';
export { fieldsOf } from './fields.js';
export { headerOf, isInBounds, type EnvelopeHeader, type ExpectedHeader } from './header.js';
export {
  deriveKeys,
  deriveSigningPair,
  newKeys,
  publicKeysOf,
  rawPoint,
  requireKid,
  restoreKeys,
  saveKeys,
  type SavedKeys,
  type SignalKeyPair,
  type SignalKeys,
} from './keys.js';
export { open, verify, type Expected, type Opened } from './open.js';
export { isPairingMac, pairingClaim, pairingMac, type PairedKeys } from './pairing.js';
export { answerOf, contentOf } from './payload.js';
export { safetyNumber } from './safety-number.js';
export { envelopeFor, isWrapForm, randomText, seal, wrapFor, type Sealing } from './seal.js';
export { signBytes, verifyBytes, type SignatureUse, type Signed } from './sign.js';
