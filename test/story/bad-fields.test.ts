// Content, blocks and fields that are wrong are refused before anything is stored.
import { describe } from 'vitest';
import { malformedBlocks } from './bad-block-rows.js';
import { wrongContent, wrongFields } from './bad-field-rows.js';
import { wrongQuestionsToPeople } from './bad-question-rows.js';
import { refusedAlike, unharmed } from './refusing-hub.js';

describe('content', () => refusedAlike(wrongContent));
describe('a block', () => refusedAlike(malformedBlocks));
describe('a question to people', () => refusedAlike(wrongQuestionsToPeople));
describe('a wrong field', () => refusedAlike(wrongFields));

unharmed();
