// doctor's check of the way to an idle agent: whether a wake was ever confirmed, by the hub's own list.
import { z } from 'zod';
import { toHubError } from '../../contract/errors.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { connect } from '../hub/connect.js';
import type { InitClient } from '../init/client.js';
import { oneLine } from '../show/printable.js';
import type { Check } from './check-setup.js';

/** As far as it is read here; a hub of an earlier release has no such list. */
const wakesForm = z.looseObject({
  wake: z.looseObject({ text: z.string() }),
  wakes: z.array(
    z.looseObject({
      attempts: z.array(z.looseObject({ kind: z.string(), state: z.string(), endedAt: z.string().optional() })),
    }),
  ),
});

const wakesAsked = 50;

export async function* checkWake(
  client: InitClient,
  choice: HubChoice,
  name: string | undefined,
): AsyncGenerator<Check> {
  const id = client.id;
  let answer;
  try {
    const hub = connect(name === undefined ? choice : { ...choice, agent: name });
    answer = wakesForm.parse(await hub.callByName('list_wakes', { limit: wakesAsked }));
  } catch (error) {
    yield { name: id, state: 'ok', says: oneLine(`whether it wakes is not known: ${whyUnknown(error)}`) };
    return;
  }
  const proven = answer.wakes.flatMap(({ attempts }) => attempts).find(({ state }) => state === 'confirmed');
  const says = `${name ?? 'the agent'}: ${answer.wake.text}`;
  if (proven !== undefined) {
    const at = proven.endedAt === undefined ? '' : ` at ${proven.endedAt}`;
    yield { name: id, state: 'ok', says: oneLine(`${says}; last woken by ${proven.kind}, confirmed${at}`) };
    return;
  }
  const fix = `Start it, then try: coterie wake test @${name ?? 'NAME'}`;
  yield { name: id, state: 'ok', says: oneLine(`${says}; no wake was confirmed yet`), fix };
}

function whyUnknown(error: unknown): string {
  if (error instanceof z.ZodError) return 'the hub’s answer has another form';
  const { code, message } = toHubError(error);
  if (code === 'OPERATION_UNKNOWN') return 'this hub cannot say it; restart it with this release';
  return code === 'AGENT_UNKNOWN' ? 'it has not connected yet' : message;
}
