// Why a hub cannot begin with the database it was given, and what to do about it.
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
  if (isReadOnly(cause)) return 'It is a standby, or was made read-only: the address must lead to the primary.';
  if (code === '28P01' || /SASL/.test(reason))
    return 'Check the user and the password in the address; what is special in an address is written as %40 is for @.';
  if (code === '28000' && /no encryption|SSL off/.test(reason))
    return `The server takes encrypted connections only: end the address with ?sslmode=verify-full, and &${namesCa} for a CA of your own.`;
  if (code.startsWith('28')) return "The server's pg_hba.conf must let this user in from this machine.";
  if (code === '3D000') return 'Create the database first, for example with createdb; the hub makes the tables in it.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return "The server's certificate is for another name: use a name in the address that the certificate has.";
  if (isTlsRefusal(cause))
    return `The server's certificate was not signed by a CA that is known here, or is not valid now: add &${namesCa} with the CA that signed it.`;
  if (/not support SSL/.test(reason))
    return 'Turn TLS on at the server (ssl = on), or take sslmode out of the address if the way to it is safe without.';
  if (code === 'ENOENT' && 'path' in (cause as object) && /^ENOENT.*open/.test(reason))
    return 'Check the files that the address names with sslrootcert, sslcert and sslkey.';
  return 'Check that PostgreSQL 14 or newer runs there, and that this user may connect and create tables.';
}
