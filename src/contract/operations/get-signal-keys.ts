import { z } from 'zod';
import { list } from '../fields.js';
import { participantId } from '../ids.js';
import { defineOperation } from '../operation.js';
import { publicKeys } from '../signal/signal.js';
import { inLine } from '../text/in-line.js';

export const getSignalKeys = defineOperation({
  name: 'get_signal_keys',
  summary: 'Public keys of people’s devices and of the hub, to encrypt for them.',
  access: 'signal',
  caller: 'required',
  input: z.object({ people: list(participantId, 'questionPeople').optional().describe('People; default: all') }),
  output: z.looseObject({
    /** As the header of an envelope names it. */
    session: z.string(),
    hub: z.looseObject({ ...publicKeys.shape, vapid: z.string() }),
    /** The people meant, with devices or without. */
    people: z.array(z.string()),
    devices: z.array(
      z.looseObject({
        id: z.string(),
        person: z.string(),
        name: z.string(),
        verified: z.boolean(),
        ...publicKeys.shape,
      }),
    ),
  }),
  effect: 'reads',
  inDefaultProfile: false,
  text: ({ devices }) =>
    devices.length === 0
      ? 'No devices.'
      : devices.map(({ person, name, kid }) => inLine(`${person}: ${name} ${kid}`)).join('\n'),
});
