// Wires who calls: keys, the sign-ins of devices, and the routes of the hub's page.
import { signInByKey, signInByLink } from './access/sign-in.js';
import { admitRequest, signedIn, type AuthenticatePorts, type Credentials } from './access/authenticate.js';
import type { HubError } from './contract/errors.js';
import type { AppPorts } from './http/app/routes.js';
import { signInIn } from './http/app/sign-in-cookie.js';
import type { Exchange } from './http/exchange.js';
import { isOwnPage } from './http/guard.js';
import type { HttpPorts } from './http/server.js';
import type { Grant } from './ports/caller.js';
import type { Clock } from './ports/clock.js';
import type { HubSecret } from './ports/hub-secret.js';
import type { Store } from './ports/store.js';
import { lookUpPairing, pairDevice, pairLocally } from './signal/pair/pair-device.js';
import { makeChallenge, signIn, signOut } from './signal/pair/sign-in.js';

interface WireAppPorts extends AuthenticatePorts {
  spend: (grant: Grant) => void;
  store: Store;
  clock: Clock;
  hubSecret: HubSecret;
  /** Of the person at this machine, in open mode. */
  localPerson: string;
  keysChanged: () => void;
  resealFor: (sessionId: string, person: string) => Promise<void>;
}

type Wired = Omit<AppPorts, 'store' | 'version' | 'hasKeys'> & Pick<HttpPorts, 'authenticate'>;

/** Long enough that no two hubs of a machine have the same. */
const hubIdChars = 12;

export function wireApp(ports: WireAppPorts): Wired {
  const { hubSecret, keys, localPerson } = ports;
  const { identity } = hubSecret;
  const hubId = identity.kid.slice(0, hubIdChars);
  const credentialsOf = (exchange: Exchange): Credentials => ({
    authorization: exchange.headers('authorization'),
    // A person's browser is no MCP client.
    signIn: exchange.url.pathname === '/mcp' ? null : signInIn(exchange, hubId),
    isOwnPage: isOwnPage(exchange),
  });
  return {
    hubId,
    identity,
    localPerson,
    authenticate(exchange) {
      // Written out: a spread costs several times as much, and every request comes here.
      const { authorization, signIn: cookie, isOwnPage: isOurs } = credentialsOf(exchange);
      return admitRequest(ports, {
        authorization,
        signIn: cookie,
        isOwnPage: isOurs,
        address: exchange.address,
        onEnd: (callback) => exchange.onEnd(callback),
        refuse: (error: HubError) => exchange.refuse(error),
      });
    },
    signedIn: (exchange) => signedIn(keys, credentialsOf(exchange)),
    lookUpPairing: (pairingId) => lookUpPairing(ports, pairingId),
    pair: (input, address) => pairDevice(ports, input, address),
    pairLocally: (input, who) => pairLocally(ports, input, who),
    makeChallenge: (deviceId) => makeChallenge(ports, deviceId),
    signIn: (request) => signIn(ports, request),
    signInByKey: (key, address) => signInByKey(ports, key, address),
    signInByLink: (link, address) => signInByLink(ports, link, address),
    signOut: (signInId) => signOut(ports, signInId),
    withFewFailures: (address, work) => ports.failedAttempts.guard(address, work),
  };
}
