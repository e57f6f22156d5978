// A question as text for people: a heading, the text, the options with their numbers.
import type { QuestionView } from '../../contract/signal/question.js';
import { paint, paintSender, type Style } from '../show/paint.js';
import { oneLine, printable } from '../show/printable.js';
import { shortSpan, shortTime } from '../show/short-time.js';

const stateStyles: Readonly<Record<QuestionView['status'], Style>> = {
  pending: 'yellow',
  answered: 'green',
  declined: 'red',
  expired: 'dim',
  cancelled: 'dim',
};

export function questionBlock(question: QuestionView, now = Date.now()): string[] {
  const { id, from, to, status, askedAt, priority, kind, projectId, context } = question;
  const people = to.map((person) => oneLine(person)).join(', ');
  const marks = [
    ...(kind === 'permission' ? ['permission prompt'] : []),
    ...(priority === 'normal' ? [] : [priority]),
    ...(projectId === undefined ? [] : [oneLine(projectId)]),
    ...timeLeft(question, now),
  ];
  const heading = [
    paint('dim', shortTime(askedAt)),
    `${paintSender(from, paint('bold', oneLine(from)))} → ${people}`,
    paint('dim', id),
    paint(stateStyles[status], status),
    ...(marks.length === 0 ? [] : [paint('dim', `[${marks.join(', ')}]`)]),
  ].join('  ');
  const body = [
    ...printable(textOf(question)).split('\n'),
    ...(context === undefined
      ? []
      : printable(context)
          .split('\n')
          .map((line) => paint('dim', line))),
    ...optionLines(question),
    ...outcomeLines(question),
  ];
  return [heading, ...body.map((line) => `  ${line}`.trimEnd())];
}

function textOf({ question, toolCall, optionCount, encryption, sealed }: QuestionView): string {
  if (toolCall !== undefined) return `${toolCall.tool} ${toolCall.input}`;
  if (question !== undefined) return question;
  const devices = sealed?.r.length;
  const readers =
    devices === undefined || devices === 0 ? 'devices' : devices === 1 ? '1 device' : `${devices} devices`;
  const options = optionCount === 0 ? 'free text' : optionCount === 1 ? '1 option' : `${optionCount} options`;
  return `(sealed for ${readers}, ${encryption}: open it in the app; ${options})`;
}

function optionLines({ options = [], status }: QuestionView): string[] {
  return status === 'pending' ? options.map((option, index) => `  ${index + 1} ${oneLine(option)}`) : [];
}

function outcomeLines({ status, response, reason, answeredBy, answeredOn, isDefault }: QuestionView): string[] {
  const who = answeredBy === undefined ? '' : ` by ${oneLine(answeredBy)}`;
  const where = answeredOn === undefined ? '' : ` on ${oneLine(answeredOn)}`;
  const said = response ?? reason;
  if (status === 'pending' || (said === undefined && who === '')) return [];
  const what = isDefault === true ? 'default answer' : `${status}${who}${where}`;
  return [`→ ${what}${said === undefined ? '' : `: ${printable(said)}`}`];
}

function timeLeft({ status, expiresAt }: QuestionView, now: number): string[] {
  if (status !== 'pending' || expiresAt === undefined) return [];
  return [`${shortSpan(Math.max(0, (Date.parse(expiresAt) - now) / 1_000))} left`];
}
