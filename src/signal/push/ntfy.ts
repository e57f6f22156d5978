// Sends a message to an ntfy topic. There is no end-to-end encryption: only a question at level `none` shows its text
// and can be answered with a button.
import type { NtfySettings } from './channel-settings.js';
import { answerToken } from './answer-token.js';
import { post, type PostAnswer } from './post.js';
import { headlineOf, linkTo, readableContent, urgencyOf, type PushedMessage } from './pushed-message.js';
import type { PushTask, SendPorts } from './send-push.js';

/** More are not shown. */
const actionsMax = 3;
const textCharsMax = 3_000;
const priorities = { low: 2, normal: 3, high: 4 };
const tags = { error: 'rotating_light', warning: 'warning', success: 'white_check_mark', info: 'information_source' };

export function sendNtfy(
  ports: SendPorts,
  { server, topic, token }: NtfySettings,
  { message, person, signal }: PushTask,
): Promise<PostAnswer> {
  const target = ports.guard.anyHost(server);
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const body = Buffer.from(JSON.stringify({ topic, ...notificationOf(ports, message, person) }));
  return post(target, { headers, body, signal });
}

function notificationOf(ports: SendPorts, message: PushedMessage, person: string): object {
  const content = readableContent(message);
  const headline = headlineOf(message);
  const { kind, alertType } = message;
  const common = {
    priority: priorities[urgencyOf(message)],
    tags: [kind === 'alert' ? tags[alertType ?? 'info'] : kind === 'test' ? 'bell' : 'question'],
    click: linkTo(ports.appUrl(), message),
  };
  if (content === null) return { title: 'Coterie', message: headline, ...common };
  const actions = kind === 'question' ? actionsOf(ports, message, { person, options: content.options }) : [];
  return { title: headline, message: content.text.slice(0, textCharsMax), ...common, actions };
}

function actionsOf(
  { secret, appUrl }: SendPorts,
  { sessionId, id }: PushedMessage,
  { person, options }: { person: string; options: readonly string[] },
): object[] {
  // With more options than buttons, some could not be chosen: the app shows all.
  if (options.length > actionsMax) return [];
  return options.map((label, index) => ({
    action: 'http',
    label,
    url: `${appUrl()}/app/answer/${answerToken(secret, { sessionId, questionId: id, person, option: index + 1 })}`,
    method: 'POST',
    clear: true,
  }));
}
