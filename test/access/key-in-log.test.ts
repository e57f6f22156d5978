// A caller may put its key where another text belongs. The log shows which key, never its secret.
import { expect, it } from 'vitest';
import { makeKeyText } from '../../dist/access/key-text.js';
import { createJsonLog } from '../../dist/runtime/json-log.js';

it('shows the id of a key in place of the key', () => {
  let written = '';
  const log = createJsonLog({ write: (text) => void (written += text) });
  const { id, text } = makeKeyText();
  log.info('operation', { operation: text, agent: `x-${text}` });
  log.info('mcp refused', { error: `revision ${text.slice(0, 40)}` });
  log.flush();
  expect(written).not.toContain(text.slice(-43).slice(0, 10));
  expect(written.split(`coterie_${id}_…`)).toHaveLength(4);
  for (const line of written.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
});
