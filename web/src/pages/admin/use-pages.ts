// A long list of the hub, one page at a time: what was read before is not kept.
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../data/api.js';

export const pageSize = 50;

interface Page<Row> {
  rows: readonly Row[];
  cursor: string | null;
}

export interface Pages<Row> {
  rows: readonly Row[] | undefined;
  error: Error | undefined;
  isFirst: boolean;
  /** Undefined on the last page. */
  next: (() => void) | undefined;
  toFirst: () => void;
  /** The same page, after something was changed. */
  again: () => Promise<void>;
}

/** `field` is where the operation answers the rows. A changed input begins at the first page. */
export function usePages<Row>(operation: string, field: string, input: Record<string, string> = {}): Pages<Row> {
  const key = JSON.stringify(input);
  const [place, setPlace] = useState<{ key: string; cursor?: string }>({ key });
  const cursor = place.key === key ? place.cursor : undefined;
  const [page, setPage] = useState<Page<Row>>();
  const [error, setError] = useState<Error>();
  const latest = useRef(0);
  const read = async () => {
    latest.current += 1;
    const number = latest.current;
    try {
      const asked = { ...input, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
      const answer = await call<{ cursor: string | null } & Record<string, Row[]>>(operation, asked);
      // An answer that was overtaken by the next filter is not shown.
      if (number !== latest.current) return;
      setPage({ rows: answer[field] ?? [], cursor: answer.cursor });
      setError(undefined);
    } catch (failure) {
      if (number === latest.current && failure instanceof Error) setError(failure);
    }
  };
  useEffect(() => {
    void read();
  }, [key, cursor]);
  const following = page?.cursor ?? undefined;
  return {
    rows: page?.rows,
    error,
    isFirst: cursor === undefined,
    next: following === undefined ? undefined : () => setPlace({ key, cursor: following }),
    toFirst: () => setPlace({ key }),
    again: read,
  };
}
