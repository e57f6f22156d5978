// The lists as they were read last, for a page that opens without a connection. Texts that the hub had opened are left
// out, unless their sender chose no encryption: nothing encrypted is written down in the clear.
import { read, write } from '../device/database.js';
import { isSamePerson, type Owner } from './owner.js';
import type { AlertView, HubInfo, QuestionView } from './types.js';

export interface KeptLists {
  /** Who has read them. */
  owner: Owner | undefined;
  asOf: number;
  questions: readonly QuestionView[];
  alerts: readonly AlertView[];
}

export async function keepLists({ owner, asOf, questions, alerts }: KeptLists): Promise<void> {
  await write('lists', 'signals', {
    owner,
    asOf,
    questions: questions.map(questionToKeep).filter((view) => view !== undefined),
    alerts: alerts.map(alertToKeep).filter((view) => view !== undefined),
  });
}

/** Undefined if someone else has read them. */
export async function keptLists(reader: Owner | undefined): Promise<KeptLists | undefined> {
  const kept = await read<KeptLists>('lists', 'signals');
  return isSamePerson(kept?.owner, reader) ? kept : undefined;
}

export async function keepHub(info: HubInfo): Promise<void> {
  await write('lists', 'hub', info);
}

export async function keptHub(): Promise<HubInfo | undefined> {
  return read<HubInfo>('lists', 'hub');
}

/** Undefined if nothing of it may be kept. */
export function questionToKeep(view: QuestionView): QuestionView | undefined {
  if (view.encryption !== 'none' && view.sealed === undefined) return undefined;
  const left = view.encryption === 'none' ? decrypted : [...decrypted, ...readByHub];
  return without(view, left);
}

export function alertToKeep(view: AlertView): AlertView | undefined {
  if (view.encryption !== 'none' && view.sealed === undefined) return undefined;
  return without(view, view.encryption === 'none' ? decrypted : [...decrypted, 'message', 'context']);
}

/** What the page added when it opened them. */
const decrypted = ['opened'];
const readByHub = ['question', 'options', 'context', 'toolCall', 'response', 'reason', 'defaultAnswer'];

function without<View extends object>(view: View, names: readonly string[]): View {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What is left out is optional.
  return Object.fromEntries(Object.entries(view).filter(([name]) => !names.includes(name))) as View;
}
