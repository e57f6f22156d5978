// The header of an envelope that a caller sent, not verified yet.
import { HubError } from '../contract/errors.js';
import type { Envelope } from '../contract/signal/signal.js';
import { EnvelopeError, headerOf, type EnvelopeHeader } from './envelope/index.js';

export function readHeader(envelope: Envelope): EnvelopeHeader {
  try {
    return headerOf(envelope);
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    throw new HubError('ENVELOPE_INVALID', error.message, { hint: 'Encrypt it again with the SDK or the app.' });
  }
}
