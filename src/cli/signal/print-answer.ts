// The answer to a question on stdout, and its exit code. What is not an answer goes to stderr.
import { shellArgument } from '../../contract/shell-argument.js';
import type { HubChoice } from '../arguments/hub-flags.js';
import { exitCodes, optionExitCode } from '../show/exit-code.js';
import { printJson, printLines, printNotice } from '../show/print.js';
import { oneLine, printable } from '../show/printable.js';
import { shortSpan } from '../show/short-time.js';
import type { Answer } from './await-answer.js';

interface Waited {
  isJson: boolean;
  waitMs: number;
  choice: HubChoice;
}

export async function printAnswer(answer: Answer, { isJson, ...waited }: Waited) {
  if (isJson) await printJson(answer);
  else {
    if (answer.response !== undefined) await printLines([printable(answer.response)]);
    for (const line of remarks(answer, waited)) printNotice(line);
  }
  return exitCodeOf(answer);
}

function exitCodeOf({ status, option }: Answer): number {
  switch (status) {
    case 'answered':
      return option === undefined ? exitCodes.freeText : optionExitCode(option);
    case 'declined':
      return exitCodes.declined;
    case 'expired':
      return exitCodes.expired;
    case 'cancelled':
      return exitCodes.cancelled;
    case 'pending':
      return exitCodes.timedOut;
  }
}

function remarks(
  { status, questionId, by, on, reason, isDefault, readable, message, response }: Answer,
  { waitMs, choice }: Omit<Waited, 'isJson'>,
) {
  const because = reason === undefined ? '.' : `: ${oneLine(reason)}`;
  const unread =
    readable === false || (status === 'answered' && response === undefined)
      ? [oneLine(message ?? 'The answer is encrypted for another program.')]
      : [];
  switch (status) {
    case 'answered':
      return [
        `Answered${by === undefined ? '' : ` by ${oneLine(by)}`}${on === undefined ? '' : ` on ${oneLine(on)}`}.`,
        ...unread,
      ];
    case 'declined':
      return [`Declined${by === undefined ? '' : ` by ${oneLine(by)}`}${because}`, ...unread];
    case 'expired':
      return [
        isDefault === true
          ? 'Expired: no one answered in time. Above is the default answer, not a person’s.'
          : 'Expired: no one answered in time. That is neither yes nor no.',
      ];
    case 'cancelled':
      return [`Cancelled${because}`];
    case 'pending':
      return [`No answer within ${shortSpan(waitMs / 1_000)}. ${stillPending(questionId, choice)}`];
  }
}

/** How to go on with a question that was left pending. */
export function stillPending(questionId: string, choice: HubChoice): string {
  const rest = `${shellArgument(questionId)}${sameFlags(choice)}`;
  return `${questionId} stays pending. Go on waiting: coterie ask --resume ${rest}; take it back: coterie questions cancel ${rest}`;
}

/** The flags that make the next command speak to the same hub, under the same name. */
export function sameFlags({ agent, data, url, urlSource }: HubChoice): string {
  const flags = { as: agent, data, url: urlSource === '--url' ? url : undefined };
  return Object.entries(flags)
    .map(([name, value]) => (value === undefined ? '' : ` --${name} ${shellArgument(value)}`))
    .join('');
}
