// Level `none`: everything is stored as it was written.
import { HubError } from '../../contract/errors.js';
import type { SignalAnswer, SignalContent } from '../../contract/signal.js';
import type { SealedSignal, Sealer, StoredBody } from '../../ports/signal.js';

export function plainSealer(): Sealer {
  return {
    seal({ content, defaultAnswer }): Promise<SealedSignal> {
      return Promise.resolve({
        level: 'none',
        body: plain(content),
        defaultAnswer: defaultAnswer === null ? null : plain(defaultAnswer),
        devices: 0,
      });
    },
    sealAnswer: (_signal, answer) => Promise.resolve(plain(answer)),
    requireAnswerOf: () =>
      Promise.reject(
        new HubError('ENVELOPE_INVALID', 'This question is not encrypted.', {
          hint: 'Give option or response in place of sealed.',
        }),
      ),
    openContent: ({ body }) => Promise.resolve(opened<SignalContent>(body)),
    openAnswer: ({ status, answer, defaultAnswer }) =>
      Promise.resolve(opened<SignalAnswer>(status === 'expired' ? defaultAnswer : answer)),
  };
}

function plain(value: SignalContent | SignalAnswer): StoredBody {
  return { form: 'plain', json: JSON.stringify(value) };
}

function opened<Value>(body: StoredBody | null): Value | null {
  // Safe: the hub wrote it.
  return body?.form === 'plain' ? (JSON.parse(body.json) as Value) : null;
}
