// Every setting of a hub: its flag, its environment variable, its default and what it allows.
import { resultTokensMax, resultTokensMin } from '../contract/budget/model-reader.js';
import { databaseUrlForm, isDatabaseUrl } from '../contract/database-url.js';
import { idForm, idPattern } from '../contract/ids.js';
import { limits } from '../contract/limits.js';
import { logLevels } from '../ports/log.js';
import { trustedProxies } from './trusted-proxies.js';

export interface Setting {
  readonly flag: string;
  readonly env: string;
  readonly help: string;
  readonly fallback: string;
  readonly allowed: string;
  readonly isValid: (value: string) => boolean;
  /** The flag alone means true. */
  readonly isSwitch?: true;
}

const wholeNumber = (min: number, max: number) => (value: string) =>
  /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max;
/** http or https, a host, and nothing after it. */
const isOriginUrl = (value: string) =>
  URL.canParse(value) && /^https?:\/\/[^/?#@]+\/?$/i.test(value) && new URL(value).pathname === '/';
const isContact = (value: string) => /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/.test(value);
const areHosts = (value: string) =>
  value.split(',').every((host) => /^((\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?)?$/i.test(host.trim()));
const yesOrNo = (value: string) => ['true', 'false', '1', '0'].includes(value);

/** The README's table of settings is checked against this list. */
export const settings: readonly Setting[] = [
  {
    flag: 'host',
    env: 'COTERIE_HOST',
    help: 'address to listen on',
    fallback: '127.0.0.1',
    allowed: 'an address of this machine; a loopback address while the hub has no keys',
    isValid: (value) => value !== '',
  },
  {
    flag: 'port',
    env: 'COTERIE_PORT',
    help: 'port to listen on; 0 picks a free one',
    fallback: '4100',
    allowed: '0 to 65535',
    isValid: wholeNumber(0, 65_535),
  },
  {
    flag: 'data',
    env: 'COTERIE_DATA',
    help: 'folder of the embedded store',
    // Found by the rule in which-folder.ts.
    fallback: '',
    allowed: 'a folder this user can write',
    isValid: (value) => value !== '',
  },
  {
    flag: 'database',
    env: 'COTERIE_DATABASE_URL',
    help: 'PostgreSQL instead of --data, also for several hubs',
    fallback: '',
    allowed: databaseUrlForm,
    // An empty variable is how launchers say "none".
    isValid: (value) => value === '' || isDatabaseUrl(value),
  },
  {
    flag: 'tls-cert',
    env: 'COTERIE_TLS_CERT',
    help: 'serve https with the certificate in this PEM file, chain included; with --tls-key',
    fallback: '',
    allowed: 'a PEM file',
    isValid: () => true,
  },
  {
    flag: 'tls-key',
    env: 'COTERIE_TLS_KEY',
    help: 'PEM file with the private key of --tls-cert',
    fallback: '',
    allowed: 'a PEM file',
    isValid: () => true,
  },
  {
    flag: 'public-url',
    env: 'COTERIE_PUBLIC_URL',
    help: 'URL at which clients reach the hub, if it is another one: behind a proxy, or by name',
    fallback: '',
    allowed: 'a URL without a path, such as https://hub.example',
    isValid: (value) => value === '' || isOriginUrl(value),
  },
  {
    flag: 'trust-proxy',
    env: 'COTERIE_TRUST_PROXY',
    help: 'proxies whose X-Forwarded-For is believed',
    fallback: '',
    allowed: 'addresses and networks, separated by commas, such as 127.0.0.1, 10.0.0.0/8',
    isValid: (value) => trustedProxies(value) !== undefined,
  },
  {
    flag: 'person',
    env: 'COTERIE_PERSON',
    help: 'name of the person at this machine, to whom questions go while the hub has no keys',
    fallback: 'me',
    allowed: idForm,
    isValid: (value) => idPattern.test(value),
  },
  {
    flag: 'push-contact',
    env: 'COTERIE_PUSH_CONTACT',
    help: 'whom push services may write to about this hub; Apple requires one that is not localhost',
    fallback: '',
    allowed: 'mailto:you@example.com or an https URL; default: --public-url, if it is https',
    isValid: (value) => value === '' || isContact(value),
  },
  {
    flag: 'push-hosts',
    env: 'COTERIE_PUSH_HOSTS',
    help: 'further hosts that pushes, ntfy and webhooks may be sent to, also private ones and by http',
    fallback: '',
    allowed: 'hosts, with a port or without, separated by commas, such as ntfy.lan, 10.0.0.5:8080',
    isValid: areHosts,
  },
  {
    flag: 'wake-hosts',
    env: 'COTERIE_WAKE_HOSTS',
    help: 'hosts that wake webhooks of agents may be sent to; none by default',
    fallback: '',
    allowed: 'hosts, with a port or without, separated by commas, such as wake.example.com, 10.0.0.5:8080',
    isValid: areHosts,
  },
  {
    flag: 'client-wait-ms',
    env: 'COTERIE_CLIENT_WAIT_MS',
    help: 'longest wait for MCP clients whose own limit is not known',
    fallback: '50000',
    allowed: '1000 to 600000',
    isValid: wholeNumber(1_000, 600_000),
  },
  {
    flag: 'manual-lease-ms',
    env: 'COTERIE_MANUAL_LEASE_MS',
    help: 'time to acknowledge messages taken with ack "manual"',
    fallback: '60000',
    allowed: '1000 to 3600000',
    isValid: wholeNumber(1_000, 3_600_000),
  },
  {
    flag: 'result-tokens',
    env: 'COTERIE_RESULT_TOKENS',
    help: 'most tokens one MCP result may cost; the rest comes with the next call',
    fallback: '8000',
    allowed: `${resultTokensMin} to ${resultTokensMax}`,
    isValid: wholeNumber(resultTokensMin, resultTokensMax),
  },
  {
    flag: 'store-max-mb',
    env: 'COTERIE_STORE_MAX_MB',
    help: 'refuse to let the database grow beyond this; 0 for no bound',
    fallback: '0',
    allowed: '0 or 1 to 10000000',
    isValid: wholeNumber(0, 10_000_000),
  },
  {
    flag: 'retain-days',
    env: 'COTERIE_RETAIN_DAYS',
    help: 'delete older messages that all recipients are done with; 0 keeps all',
    fallback: '0',
    allowed: '0 or 1 to 36500',
    isValid: wholeNumber(0, 36_500),
  },
  {
    flag: 'all-days',
    env: 'COTERIE_ALL_DAYS',
    help: 'agents unseen for so many days leave the group all',
    fallback: String(limits.allDays),
    allowed: '1 to 36500',
    isValid: wholeNumber(1, 36_500),
  },
  {
    flag: 'join-history',
    env: 'COTERIE_JOIN_HISTORY',
    help: 'earlier messages of a thread that a late joiner may read: all, none or the last so many',
    fallback: 'all',
    allowed: 'all, none or 1 to 500',
    isValid: (value) => ['all', 'none'].includes(value) || wholeNumber(1, 500)(value),
  },
  {
    flag: 'audit-days',
    env: 'COTERIE_AUDIT_DAYS',
    help: 'remove audit entries older than so many days; 0 keeps them',
    fallback: '0',
    allowed: '0 or 1 to 36500',
    isValid: wholeNumber(0, 36_500),
  },
  {
    flag: 'hub-secret-file',
    env: 'COTERIE_HUB_SECRET_FILE',
    help: 'file with the secret that seals questions and alerts; without it hub-secret in the data folder',
    fallback: '',
    allowed: 'a file with 32 random bytes as hex or base64url',
    isValid: () => true,
  },
  {
    flag: 'require-e2e',
    env: 'COTERIE_REQUIRE_E2E',
    help: 'refuse questions, alerts and answers that are not encrypted end to end',
    fallback: 'false',
    allowed: 'true or false',
    isValid: yesOrNo,
    isSwitch: true,
  },
  {
    flag: 'log-level',
    env: 'COTERIE_LOG_LEVEL',
    help: 'least level that is logged',
    fallback: 'info',
    allowed: logLevels.join(', '),
    isValid: (value) => logLevels.some((level) => level === value),
  },
  {
    flag: 'log-max-mb',
    env: 'COTERIE_LOG_MAX_MB',
    help: 'size at which hub.log is begun anew, with three older files kept; 0 for no bound',
    fallback: '10',
    allowed: '0 or 1 to 10000',
    isValid: wholeNumber(0, 10_000),
  },
  {
    flag: 'hints',
    env: 'COTERIE_HINTS',
    help: 'print how to connect clients at start',
    fallback: 'false',
    allowed: 'true or false',
    isValid: yesOrNo,
    isSwitch: true,
  },
];

export function isSwitch(flag: string): boolean {
  return settings.some((setting) => setting.flag === flag && setting.isSwitch === true);
}
