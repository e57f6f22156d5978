// Connections to the database, with the settings that our promises rest on.
import { Client, Pool, types as drivers, type ClientBase, type ClientConfig, type CustomTypesConfig } from 'pg';
import { ReadOnlyServer } from './faults.js';

/** A hub that is stopped in the middle of a transaction must not hold a session's order for long. */
const idleInTransactionMs = 3_000;
/** Longer than any statement of ours takes; a connection that says nothing for so long is dead. Less than a call waits. */
const usualLimits = { statementMs: 7_000, answerMs: 8_000, lockMs: 0 };
const noLimits = { statementMs: 0, answerMs: 0, lockMs: 0 };
const connectMs = 3_000;

const int8 = 20;
const numeric = 1700;

/** Seqs and times are far below 2^53. */
export const numberTypes: CustomTypesConfig = {
  getTypeParser(oid: number): (value: string) => unknown {
    // The driver's own parsers take the text of a value; its types do not say so.
    return oid === int8 || oid === numeric ? Number : (drivers.getTypeParser(oid) as (value: string) => unknown);
  },
};

export interface ConnectionOptions {
  url: string;
  /** Tells a hub's connections from others' in the database's own views. */
  name: string;
  max: number;
  /** How long a statement waits for what another holds; without it as long as it may take at all. */
  lockMs?: number;
}

export function openPool({ url, name, max, lockMs = 0 }: ConnectionOptions): Pool {
  const settings = settingsOf(url, name, { ...usualLimits, lockMs });
  // The pool waits for what the hook returns, which its type does not say.
  const onConnect = requireWritable as (client: ClientBase) => void;
  const pool = new Pool({ ...settings, max, idleTimeoutMillis: 60_000, onConnect });
  // A connection that breaks while no one uses it leaves the pool by itself.
  pool.on('error', ignore);
  // From its first moment: a server may say in one breath that it is ready and that it dies.
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

export function openClient(url: string, name: string): Client {
  return new Client(settingsOf(url, name)).on('error', ignore);
}

/** For what may take its time: making the tables, or waiting for another hub that makes them. */
export function openUnhurriedClient(url: string, name: string): Client {
  return new Client(settingsOf(url, name, noLimits)).on('error', ignore);
}

/**
 * A standby, or a primary that had to step back, may know less than was acknowledged, and would not say so: whatever is
 * asked of it, it counts as away.
 */
export async function requireWritable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: 'on' | 'off' }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw new ReadOnlyServer();
}

/** Whoever awaits an answer of the connection hears of it. */
function ignore(): void {}

function settingsOf(url: string, name: string, limits = usualLimits): ClientConfig {
  const { address, options } = optionsApart(url);
  return {
    connectionString: withStrictTls(address),
    application_name: name,
    types: numberTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    connectionTimeoutMillis: connectMs,
    query_timeout: limits.answerMs,
    // Ours come last: the last value given for a setting counts.
    options: [...options, ...ownSettings(limits)].join(' '),
  };
}

/** Set by us and not left to the server: "sent" means on disk, and each statement sees what was committed before it. */
function ownSettings(limits: typeof usualLimits): string[] {
  const settings = [
    'synchronous_commit=on',
    'default_transaction_isolation=read\\ committed',
    `idle_in_transaction_session_timeout=${idleInTransactionMs}`,
    `statement_timeout=${limits.statementMs}`,
    `lock_timeout=${limits.lockMs}`,
    'client_min_messages=warning',
    // Every statement has its index. A table that was empty at the last analyze must not be scanned.
    'enable_seqscan=off',
    // All statements are short: compiling one takes longer than running it.
    'jit=off',
    // Planning a batch's one large statement again would cost more than running it.
    'plan_cache_mode=force_generic_plan',
  ];
  return settings.map((setting) => `-c ${setting}`);
}

/** The driver would take options that the address brings in place of ours. */
function optionsApart(url: string): { address: string; options: string[] } {
  const address = new URL(url);
  const options = address.searchParams.getAll('options');
  if (options.length === 0) return { address: url, options };
  address.searchParams.delete('options');
  return { address: address.href, options };
}

/**
 * The driver checks the certificate in these modes too and prints a warning that it may not always do so. They are said to
 * be what they are.
 */
export function withStrictTls(url: string): string {
  if (/[?&]uselibpqcompat=true\b/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/, '$1verify-full');
}
