// A tool call that waits for Allow or Deny. The question page shows it for questions of this kind.
import type { Question } from '../data/store.js';

export function PermissionPage({ question }: { question: Question }) {
  return <p>{question.opened.content?.text ?? question.id}</p>;
}
