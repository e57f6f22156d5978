// Explains why a hub cannot open its database, and what to do about it.
import { withoutPassword } from '../../../contract/database-url.js';
import { HubError } from '../../../contract/errors.js';
import { codeOf, isReadOnly, isTlsRefusal } from './faults.js';

export function cannotOpen(url: string, cause: unknown): HubError {
  if (cause instanceof HubError) return cause;
  const where = withoutPassword(url);
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HubError('STORE_UNAVAILABLE', `Cannot open the database ${where}: ${reason}`, {
    hint: hintFor(cause, reason),
    details: { database: where },
    cause,
  });
}

const namesCa = 'sslrootcert=/path/to/ca.pem';

function hintFor(cause: unknown, reason: string): string {
  const code = codeOf(cause);
  if (isReadOnly(cause)) return 'It is a standby or read-only: the URL must lead to the primary.';
  if (code === '28P01' || /SASL/.test(reason))
    return 'Check the user and the password in the URL; percent-encode special characters, for example %40 for @.';
  if (code === '28000' && /no encryption|SSL off/.test(reason))
    return `The server accepts only encrypted connections: add ?sslmode=verify-full to the URL, and &${namesCa} for your own CA.`;
  if (code.startsWith('28')) return "The server's pg_hba.conf must allow this user from this machine.";
  if (code === '3D000') return 'Create the database first, for example with createdb; the hub creates the tables.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return "The server's certificate is for another name: use a host name in the URL that the certificate has.";
  if (isTlsRefusal(cause))
    return `The server's certificate is expired or not signed by a known CA: add &${namesCa} with the CA that signed it.`;
  if (/not support SSL/.test(reason))
    return 'Enable TLS on the server (ssl = on), or remove sslmode from the URL if the network is trusted.';
  if (code === 'ENOENT' && 'path' in (cause as object) && /^ENOENT.*open/.test(reason))
    return 'Check the files that sslrootcert, sslcert and sslkey in the URL name.';
  return 'Check that PostgreSQL 14 or newer runs there, and that this user may connect and create tables.';
}
