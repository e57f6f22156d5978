// Why an envelope was refused. No message contains any of its content.

export type EnvelopeFault =
  /** Not an envelope, or not of this version. */
  | 'malformed'
  /** Signed by nobody whom the reader trusts. */
  | 'unknown_sender'
  /** The signature is not of this header and cipher text. */
  | 'bad_signature'
  /** Genuine, but made for another use, session, question or tool call. */
  | 'wrong_header'
  /** Not wrapped for this reader. */
  | 'not_for_me'
  /** Wrapped for this reader, but it does not open. */
  | 'unreadable'
  /** Public keys whose `kid` is not theirs. */
  | 'wrong_kid'
  | 'too_large';

export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
  readonly fault: EnvelopeFault;

  constructor(fault: EnvelopeFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
