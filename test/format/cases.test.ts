// The reference cases: what an agent framework sends to each provider. We match them, or docs/formatters.md says why not.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FormatMode, FormatProvider, FormatStyle } from '../../dist/contract/index.js';
import { readMessages } from '../../dist/contract/index.js';
import { formatMessages } from '../../dist/format/index.js';

interface ReferenceCase {
  name: string;
  provider: FormatProvider;
  mode: FormatMode;
  style?: FormatStyle;
  input: unknown;
  expected: unknown;
}

const cases: ReferenceCase[] = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));
interface Deviation {
  because: string;
  /** What we write, by the name of the case. */
  instead: Record<string, unknown>;
}

const deviations: Deviation[] = JSON.parse(readFileSync(new URL('deviations.json', import.meta.url), 'utf8'));
const deviating = deviations.flatMap(({ instead }) => Object.keys(instead));
const page = readFileSync(new URL('../../docs/formatters.md', import.meta.url), 'utf8');

const historyPrompt = 'What was said so far:';

describe.each(cases)('$name for $provider', ({ name, provider, mode, style, input, expected }) => {
  const formatted = formatMessages(readMessages(input), { provider, mode, style, historyPrompt });
  const reference = JSON.parse(JSON.stringify(expected).replaceAll('{{PROMPT}}', historyPrompt));
  const deviation = deviations.find(({ instead }) => name in instead);

  it(deviation === undefined ? 'is the reference' : `deviates: ${deviation.because}`, () => {
    if (deviation === undefined) {
      expect(formatted).toEqual({ messages: reference });
      return;
    }
    expect(formatted).toEqual(deviation.instead[name]);
    expect(formatted).not.toEqual({ messages: reference });
  });
});

describe('docs/formatters.md', () => {
  const rows = page.split('## Deviations')[1]?.split('\n## ')[0] ?? '';

  it.each(deviating)('lists the deviation %s', (name) => {
    expect(rows).toContain(`\`${name}\``);
  });

  it('lists no deviation that is none', () => {
    const listed = [...rows.matchAll(/`([a-z-]+\/(?:chat|multiagent)\/\w+)`/g)].map(([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(deviating));
  });
});
