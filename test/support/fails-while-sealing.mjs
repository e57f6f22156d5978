// Loaded into a hub before its own code: fails in the middle of a call, where the text of a question is in memory, once the
// file that COTERIE_TEST_FAIL names is there. It says how: `reject` fails the call, anything else ends the process with
// an uncaught error of this text.
import { existsSync, readFileSync } from 'node:fs';

const file = process.env.COTERIE_TEST_FAIL ?? '';
const sign = crypto.subtle.sign.bind(crypto.subtle);

crypto.subtle.sign = async (...given) => {
  if (given[0].name === 'ECDSA' && existsSync(file)) {
    const how = readFileSync(file, 'utf8');
    if (how === 'reject') throw new TypeError('sealing failed');
    process.nextTick(() => {
      throw new Error(how);
    });
    await new Promise(() => {});
  }
  return sign(...given);
};
