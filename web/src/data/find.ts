// Search in the messages that this person may read.
import { call } from './api.js';
import type { Message } from './types.js';

export interface Found {
  messages: readonly (Message & { snippet: string })[];
  cursor: string | null;
}

export interface Filter {
  query: string;
  threadId?: string | undefined;
  from?: string | undefined;
  messageType?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const pageSize = 30;

export function readFound(filter: Filter, cursor?: string): Promise<Found> {
  const given = Object.entries({ ...filter, cursor }).filter(([, value]) => value !== undefined && value !== '');
  return call<Found>('search_messages', { ...Object.fromEntries(given), limit: pageSize });
}
