// Asynchronous work of a part of the page: what it read, what runs, what failed.
import { useCallback, useEffect, useState } from 'preact/hooks';

export interface Reading<T> {
  value: T | undefined;
  error: Error | undefined;
  again: () => Promise<void>;
}

/** Reads when the part appears, and again on demand. `read` must not change between renderings. */
export function useReading<T>(read: () => Promise<T>): Reading<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<Error>();
  const again = useCallback(async () => {
    try {
      setValue(await read());
      setError(undefined);
    } catch (failure) {
      setError(asError(failure));
    }
  }, [read]);
  useEffect(() => {
    void again();
  }, [again]);
  return { value, error, again };
}

export interface Work {
  isBusy: boolean;
  error: Error | undefined;
  run: (task: () => Promise<void>) => Promise<void>;
}

/** One task at a time: a second click while it runs does nothing. */
export function useWork(): Work {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const run = async (task: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await task();
    } catch (failure) {
      setError(asError(failure));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure));
}
