// Encrypts a question or an alert in the command itself where devices are paired, and opens the answer: the hub reads neither.
import { programSealing } from '../../bridge/program-sealing.js';
import type { Sealing } from '../../client/sealed/index.js';
import { userFolder } from '../../config/which-folder.js';
import type { Operation, OutputOf } from '../../contract/operation.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';
import { ownName } from '../hub/own-name.js';
import { whichHub } from '../hub/which-hub.js';

type Fields = Record<string, unknown>;

export async function callSealed<Op extends Operation>(
  choice: HubChoice,
  { name }: Op,
  input: Fields,
): Promise<OutputOf<Op>> {
  const sealing = await sealingOf(choice);
  const send = sender(choice);
  const output = (await sealing?.perform(send, { operation: name, input })) ?? (await send(name, input));
  // The hub follows this contract.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return output as OutputOf<Op>;
}

/** Unchanged if it is not encrypted, or not for this program. */
export async function openedAnswer<Answer extends Fields>(choice: HubChoice, answer: Answer): Promise<Answer> {
  if (answer['sealed'] === undefined) return answer;
  const opened = await (await sealingOf(choice))?.open(sender(choice), 'get_response', answer);
  // Only the answer takes the place of its envelope.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (opened ?? answer) as Answer;
}

function sender(choice: HubChoice) {
  return (operation: string, fields: Fields) => connect(choice).callByName(operation, fields);
}

/** Its keys persist, so that an answer opens in a later run. Undefined for who has no name: the hub says so. */
async function sealingOf(choice: HubChoice): Promise<Sealing | undefined> {
  const agent = await ownName(choice);
  if (agent === undefined) return undefined;
  const place = whichHub(choice);
  const hub = place.kind === 'folder' ? place.folder : place.url;
  const session = choice.session ?? 'default';
  return programSealing({ folder: userFolder(process.env), hub, session, requireE2e: false }, agent);
}
