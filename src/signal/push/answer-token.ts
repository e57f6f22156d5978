// The link of an answer button in ntfy: it gives one answer to one question, for one person.
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { HubError } from '../../contract/errors.js';
import type { HubSecret } from '../../ports/hub-secret.js';

export interface TokenAnswer {
  sessionId: string;
  questionId: string;
  person: string;
  /** From 1. */
  option: number;
}

export function answerToken(
  secret: Pick<HubSecret, 'mac'>,
  { sessionId, questionId, person, option }: TokenAnswer,
): string {
  const named = Buffer.from(JSON.stringify([sessionId, questionId, person, option])).toString('base64url');
  return `${named}.${secret.mac('answer-token', named)}`;
}

const namedInToken = z.tuple([z.string(), z.string(), z.string(), z.number()]);

/** Throws QUESTION_UNKNOWN for anything that this hub did not make. */
export function readAnswerToken(secret: Pick<HubSecret, 'mac'>, token: string): TokenAnswer {
  const [named = '', mac = '', ...more] = token.split('.');
  const expected = Buffer.from(secret.mac('answer-token', named));
  const given = Buffer.from(mac);
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new HubError('QUESTION_UNKNOWN', 'This link answers no question.', {
      hint: 'Open the app and answer there.',
    });
  }
  const [sessionId, questionId, person, option] = namedInToken.parse(
    JSON.parse(Buffer.from(named, 'base64url').toString()),
  );
  return { sessionId, questionId, person, option };
}
