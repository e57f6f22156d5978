// SQLite's result codes, as the drivers put them in `errcode`.

/** One of the drivers leaves the code out when a read fails; SQLite's own messages tell it. */
const codesByMessage: Readonly<Record<string, number>> = {
  'database is locked': 5,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'file is not a database': 26,
};

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode;
  return codesByMessage[error.message];
}

/** Extended codes keep the primary one in the low byte. */
const primaryCode = (error: unknown) => (resultCode(error) ?? 0) & 0xff;

export const isBusy = (error: unknown) => primaryCode(error) === 5;
export const isFull = (error: unknown) => primaryCode(error) === 13;
/** The operating system reported an error for a file of the database, whichever it was. */
export const isIoError = (error: unknown) => primaryCode(error) === 10;
/** A write was refused, by a quota or by the device. As with a full disk, nothing of the transaction is committed. */
export const isWriteRefused = (error: unknown) => resultCode(error) === 778;
export const isFsyncFailed = (error: unknown) => [1034, 1290].includes(resultCode(error) ?? 0);
/** Malformed, or not a database. */
export const isDamaged = (error: unknown) => [11, 26].includes(primaryCode(error));
