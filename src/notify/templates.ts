// Notice texts with placeholders. Pure: a template is checked when it is set, so that rendering never fails.
import { HubError } from '../contract/errors.js';
import { nearest } from '../contract/input/nearest.js';
import { onMarkedLines, onOneLine } from '../contract/text/in-line.js';
import { placeholders, type NoticeKind, type Placeholder, type TemplateView } from '../contract/notify.js';

export const defaultTemplates: Readonly<Record<NoticeKind, string>> = {
  created: 'You have been added to a new thread "{title}" ({threadId}) by {by}.',
  added: 'You have been added to the existing thread "{title}" ({threadId}) by {by}.',
  joined: 'You have joined the thread "{title}" ({threadId}).',
  member_joined: '{agent} has joined the thread "{title}" ({threadId}).',
  removed: 'You have been removed from the thread "{title}" ({threadId}) by {by}.',
  closed: 'The thread "{title}" ({threadId}) was closed by {by}. Summary: {summary}',
  reopened: 'The thread "{title}" ({threadId}) was reopened by {by}.',
};

export type NoticeValues = Readonly<Record<Placeholder, string>>;

const anyPlaceholder = /\{(\w*)\}/g;

/** Agents choose titles and summaries, and the notice is the hub's: they begin no line of it. */
export function renderTemplate(text: string, values: NoticeValues): string {
  return text.replaceAll(anyPlaceholder, (whole, name: string) => {
    if (!isPlaceholder(name)) return whole;
    return name === 'summary' ? onMarkedLines(values.summary) : onOneLine(values[name]);
  });
}

export function checkTemplate(text: string): void {
  for (const [, name = ''] of text.matchAll(anyPlaceholder)) {
    if (isPlaceholder(name)) continue;
    const [near] = nearest(name, placeholders, 1);
    const known = placeholders.map((each) => `{${each}}`).join(', ');
    throw new HubError('INVALID_INPUT', `text has an unknown placeholder '{${name}}'.`, {
      hint: `${near === undefined ? '' : `Did you mean {${near}}? `}Known: ${known}.`,
      details: { field: 'text', placeholder: name, known: [...placeholders] },
    });
  }
}

function isPlaceholder(name: string): name is Placeholder {
  return (placeholders as readonly string[]).includes(name);
}

const example: NoticeValues = {
  title: 'Release plan',
  threadId: 'th-example',
  by: 'orchestrator',
  agent: 'builder',
  summary: 'We ship on Friday.',
};

export function viewTemplate(name: NoticeKind, chosen: string | undefined): TemplateView {
  const text = chosen ?? defaultTemplates[name];
  return { name, text, isDefault: chosen === undefined, preview: renderTemplate(text, example) };
}
