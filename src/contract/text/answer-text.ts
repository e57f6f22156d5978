// What a reader is told to do next, in both forms of an answer, and the whole text around it.
import type { Operation } from '../operation.js';
import { explainTools, type ShownTools } from '../shown-tools.js';
import { closingLines } from './closing-lines.js';
import { inLine } from './in-line.js';

type Output = Record<string, unknown>;
type Input = Record<string, unknown>;

/** `tools`: what the caller's client lists; undefined for programs, which know all operations. */
export function nextSteps(
  operation: Operation,
  { output, input }: { output: Output; input: Input },
  tools?: ShownTools,
): string[] {
  const steps = operation.next?.(output, input) ?? [];
  const lines = steps.map(inLine);
  return tools === undefined ? lines : lines.map((step) => explainTools(step, tools, operation.name));
}

export function withNext(output: Output, steps: readonly string[]): Output {
  return steps.length === 0 ? output : { ...output, next: steps.join(' ') };
}

export function answerText(
  operation: Operation,
  { output, input }: { output: Output; input: Input },
  steps: readonly string[],
): string {
  const text = operation.text(output, input);
  return [text, ...steps, ...closingLines(text, output)].filter((part) => part !== '').join('\n');
}
