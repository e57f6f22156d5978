// Real tokens, as one family of models counts them: what an answer costs its reader.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

export function countTokens(text: string): number {
  return encode(text).length;
}
