// Opens connections to the database, with the settings that our guarantees depend on.
import { Client, Pool, types as drivers, type ClientBase, type ClientConfig, type CustomTypesConfig } from 'pg';
import { ReadOnlyServer } from './faults.js';
import { paceReading } from './paced-reading.js';

/** A hub that is suspended during a transaction must not hold a session's order lock for long. */
const idleInTransactionMs = 3_000;
/** Longer than any of our statements takes, shorter than the timeout of a call. */
const defaultTimeouts = { statementMs: 7_000, answerMs: 8_000, lockMs: 0 };
const noTimeouts = { statementMs: 0, answerMs: 0, lockMs: 0 };
const connectMs = 3_000;

const int8 = 20;
const numeric = 1700;

/** Seqs and times are far below 2^53. */
export const numberTypes: CustomTypesConfig = {
  getTypeParser(oid: number): (value: string) => unknown {
    // Safe: the driver's parsers take text; its types do not say so.
    return oid === int8 || oid === numeric ? Number : (drivers.getTypeParser(oid) as (value: string) => unknown);
  },
};

export interface ConnectionOptions {
  url: string;
  /** Identifies the connections of a hub in pg_stat_activity. */
  name: string;
  max: number;
  /** How long a statement waits for a lock; by default, until the statement timeout. */
  lockMs?: number;
}

export function openPool({ url, name, max, lockMs = 0 }: ConnectionOptions): Pool {
  const settings = settingsOf(url, name, { ...defaultTimeouts, lockMs });
  // Safe: the pool awaits the hook; its type does not say so.
  const onConnect = requireWritable as (client: ClientBase) => void;
  const pool = new Pool({ ...settings, max, idleTimeoutMillis: 60_000, onConnect });
  // The pool removes an idle connection that is lost.
  pool.on('error', ignore);
  // Immediately: a server may report readiness and its shutdown together.
  pool.on('connect', (client) => client.on('error', ignore));
  // Safe: the driver has the field; the type of a pool's client lacks it.
  pool.on('connect', (client) => paceReading((client as unknown as Client).connection.stream));
  return pool;
}

export function openClient(url: string, name: string): Client {
  return new Client(settingsOf(url, name)).on('error', ignore);
}

/** For migrations, and for waiting until another hub has run them. */
export function openClientWithoutTimeouts(url: string, name: string): Client {
  return new Client(settingsOf(url, name, noTimeouts)).on('error', ignore);
}

/**
 * A standby or a demoted primary may lack acknowledged commits without an error, so it counts as unavailable even for reads.
 */
export async function requireWritable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: 'on' | 'off' }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServer();
}

/** Whoever awaits a query on the connection gets the error. */
function ignore(): void {}

function settingsOf(url: string, name: string, timeouts = defaultTimeouts): ClientConfig {
  const { address, options } = splitOptions(url);
  return {
    connectionString: withStrictTls(address),
    application_name: name,
    types: numberTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    connectionTimeoutMillis: connectMs,
    query_timeout: timeouts.answerMs,
    // Ours come last, because the last value of a setting counts.
    options: [...options, ...ownSettings(timeouts)].join(' '),
  };
}

/** Set explicitly instead of relying on the server: "sent" means on disk, and a statement sees all earlier commits. */
function ownSettings(timeouts: typeof defaultTimeouts): string[] {
  const settings = [
    'synchronous_commit=on',
    'default_transaction_isolation=read\\ committed',
    `idle_in_transaction_session_timeout=${idleInTransactionMs}`,
    `statement_timeout=${timeouts.statementMs}`,
    `lock_timeout=${timeouts.lockMs}`,
    'client_min_messages=warning',
    // Every statement has an index; a table that was empty at the last analyze would be scanned instead.
    'enable_seqscan=off',
    // All statements are short: compiling one takes longer than running it.
    'jit=off',
    // Planning the large batch statement again would cost more than running it.
    'plan_cache_mode=force_generic_plan',
  ];
  return settings.map((setting) => `-c ${setting}`);
}

/** The driver would use the options of the URL instead of ours. */
function splitOptions(url: string): { address: string; options: string[] } {
  const address = new URL(url);
  const options = address.searchParams.getAll('options');
  if (options.length === 0) return { address: url, options };
  address.searchParams.delete('options');
  return { address: address.href, options };
}

/**
 * The driver treats these modes as verify-full but prints a warning that this may change. Naming verify-full avoids the
 * warning.
 */
export function withStrictTls(url: string): string {
  if (/[?&]uselibpqcompat=true\b/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/, '$1verify-full');
}
