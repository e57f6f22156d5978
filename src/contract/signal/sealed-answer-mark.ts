/** The text of a sealed answer that only the asker's program can open; the program puts the answer in its place. */
export function sealedAnswerMark(questionId: string): string {
  return `[sealed answer ${questionId}]`;
}
