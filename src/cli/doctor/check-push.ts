// doctor's checks of pushes: channels that fail, and whom push services may write to.
import type { Config } from '../../config.js';
import { operations } from '../../contract/operations/index.js';
import { contactOf, isContactRefusedByApple } from '../../signal/push/contact.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';
import { oneLine } from '../show/printable.js';
import { asPerson } from '../signal/as-person.js';
import type { Check } from './check-setup.js';

/** Nothing to say where the caller may not see channels, or there are none. */
export async function* checkPush(choice: HubChoice, config: Config | undefined): AsyncGenerator<Check> {
  let channels;
  try {
    ({ channels } = await connect(await asPerson(choice)).call(operations.listChannels, {}));
  } catch {
    return;
  }
  if (channels.length === 0) return;
  const faulty = channels.filter(({ fault }) => fault !== undefined);
  for (const { id, label, fault = '' } of faulty) {
    const fix = `Try it: coterie channels test ${id}. Or remove it: coterie channels remove ${id}`;
    yield { name: 'channel', state: 'wrong', says: oneLine(`${id} to ${label}: ${fault}`), fix };
  }
  if (faulty.length === 0) yield { name: 'channel', state: 'ok', says: `${channels.length} in use, none failed last` };
  if (config === undefined || !channels.some(({ kind }) => kind === 'web-push')) return;
  const contact = contactOf(config);
  if (!isContactRefusedByApple(contact)) return;
  const says = 'push services have no address to write to, and Apple refuses that';
  yield { name: 'push', state: 'wrong', says, fix: 'Start the hub with --push-contact mailto:you@example.com' };
}
