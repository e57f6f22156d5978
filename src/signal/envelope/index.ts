// Sealed texts: see docs/decisions/0020-signal.md. Shared by the hub, the bridge, the SDK and the page.
export { EnvelopeError, type EnvelopeFault } from './envelope-error.js';
export { callHash } from './call-hash.js';
export { fromBase64url, toBase64url, utf8 } from './bytes.js';
export { fieldsOf } from './fields.js';
export { headerOf, isInBounds, type EnvelopeHeader } from './header.js';
export {
  deriveKeys,
  deriveSigningPair,
  newKeys,
  rawPoint,
  requireKid,
  restoreKeys,
  saveKeys,
  type SignalKeys,
} from './keys.js';
export { open, verify } from './open.js';
export { isPairingMac, pairingClaim, pairingMac } from './pairing.js';
export { answerOf, contentOf } from './payload.js';
export { safetyNumber } from './safety-number.js';
export { envelopeFor, isWrapForm, randomText, seal, wrapFor } from './seal.js';
export { signBytes, verifyBytes } from './sign.js';
