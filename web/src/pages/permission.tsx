// A tool call that waits for Allow or Deny. The question page shows it for questions of this kind.
import { acceptKeyOf } from '../device/open.js';
import { refresh, type Question } from '../data/store.js';
import { State } from '../parts/state.js';
import { PermissionView } from './permission/permission-view.js';

export function PermissionPage({ question }: { question: Question }) {
  const toolCall = question.opened.content?.toolCall;
  if (toolCall === undefined) {
    return (
      <State tone="bad" icon="error" title="This prompt names no tool call.">
        Nothing can be allowed here. The asker’s own prompt decides.
      </State>
    );
  }
  const acceptKey = () => void acceptKeyOf(question).then(() => refresh('signals'));
  return <PermissionView question={question} toolCall={toolCall} onAcceptKey={acceptKey} />;
}
