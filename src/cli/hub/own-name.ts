// The caller's name, for commands that need to know it: given, or that of the key.
import { operations } from '../../contract/operations/index.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from './connect.js';

export async function ownName(choice: HubChoice): Promise<string | undefined> {
  if (choice.agent !== undefined || choice.key === undefined) return choice.agent;
  return (await connect(choice).call(operations.getNotifyPrefs, {})).agentId;
}
