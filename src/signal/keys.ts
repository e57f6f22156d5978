// get_signal_keys and set_agent_key: the public keys with which programs encrypt beside their agents.
import type { getSignalKeys as keysContract } from '../contract/operations/get-signal-keys.js';
import type { setAgentKey as agentKeyContract } from '../contract/operations/set-agent-key.js';
import type { InputOf, OutputOf } from '../contract/operation.js';
import { HubError } from '../contract/errors.js';
import type { NamedCaller } from '../ports/caller.js';
import type { Clock } from '../ports/clock.js';
import type { HubSecret } from '../ports/hub-secret.js';
import type { Store } from '../ports/store.js';
import { EnvelopeError, requireKid } from './envelope/index.js';

export interface SignalKeyPorts {
  store: Pick<Store, 'signalRecipients' | 'listDevices' | 'saveAgentKey'>;
  clock: Clock;
  hubSecret: HubSecret;
}

export async function getSignalKeys(
  { store, hubSecret }: SignalKeyPorts,
  { sessionId }: NamedCaller,
  input: InputOf<typeof keysContract>,
): Promise<OutputOf<typeof keysContract>> {
  const people = await store.signalRecipients({ sessionId, to: input.people ?? null });
  const devices = await store.listDevices({ sessionId, people });
  return {
    session: sessionId,
    hub: { ...hubSecret.identity },
    people,
    devices: devices.map(({ id, personId, name, verifiedAt, kid, encryption, signing }) => {
      return { id, person: personId, name, verified: verifiedAt !== null, kid, encryption, signing };
    }),
  };
}

export async function setAgentKey(
  { store, clock }: SignalKeyPorts,
  { sessionId, agentId }: NamedCaller,
  { kid, encryption, signing }: InputOf<typeof agentKeyContract>,
): Promise<OutputOf<typeof agentKeyContract>> {
  const keys = { kid, encryption, signing };
  try {
    await requireKid(keys);
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    throw new HubError('ENVELOPE_INVALID', error.message, {
      hint: 'Send both public keys as raw P-256 points, and the key id that the SDK derives from them.',
      details: { fault: error.fault },
    });
  }
  await store.saveAgentKey({ sessionId, agentId, keys, at: clock.now() });
  return { success: true, kid };
}
