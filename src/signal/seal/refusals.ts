// What is refused, and what to do instead. No error contains any of the text.
import { HubError } from '../../contract/errors.js';
import { EnvelopeError } from '../envelope/index.js';

export function e2eRequired(hint: string): HubError {
  return new HubError('E2E_REQUIRED', 'This hub takes only what is encrypted end to end.', { hint });
}

export function envelopeInvalid(message: string, fault: string): HubError {
  return new HubError('ENVELOPE_INVALID', message, {
    hint: 'Seal it again: for this session and question, with keys that the hub knows, to the keys of get_signal_keys.',
    details: { fault },
  });
}

/** Runs something that reads an envelope from outside. */
export async function refusing<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof EnvelopeError) throw envelopeInvalid(error.message, error.fault);
    throw error;
  }
}

export function tooLong(error: unknown): unknown {
  if (!(error instanceof EnvelopeError) || error.fault !== 'too_large') return error;
  return new HubError('TOO_LARGE', 'This is too long to be encrypted.', { hint: 'Shorten the context.' });
}
