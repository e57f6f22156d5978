// SQLite's result codes, as the drivers put them in `errcode`.

/** Extended codes keep the primary one in the low byte. */
function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

export const isBusy = (error: unknown) => resultCode(error) === 5;
export const isFull = (error: unknown) => resultCode(error) === 13;
