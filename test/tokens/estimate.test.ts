// The hub's cheap rule never says less than a real tokenizer, on the kinds of text agents send each other.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tokensAtMost } from '../../dist/contract/budget/tokens.js';
import { countTokens } from '../support/count-tokens.js';

const file = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const many = (text: string) => text.repeat(60);
const characters = (count: number, at: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(at(index))).join('');
/** The same bytes in every run. */
const bytes = Buffer.concat(
  Array.from({ length: 250 }, (_, index) => createHash('sha256').update(`${index}`).digest()),
);
const pick = (letters: string) => Array.from(bytes, (byte) => letters[byte % letters.length]).join('');
const uuid = (index: number) =>
  bytes.toString('hex', index * 16, index * 16 + 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const kinds: Record<string, string> = {
  'English prose': file('docs/life-of-a-message.md'),
  'a licence': file('LICENSE'),
  TypeScript: file('src/message/wait/wait.ts'),
  SQL: file('migrations/sqlite/0001_hub.sql'),
  JSON: file('package-lock.json').slice(0, 20_000),
  'escaped JSON': JSON.stringify(file('src/message/wait/wait.ts')),
  'escaped XML': file('src/message/wait/wait.ts').replace(/["'<>&]/g, '&quot;'),
  base64: bytes.toString('base64'),
  hex: bytes.toString('hex'),
  UUIDs: Array.from({ length: 400 }, (_, index) => uuid(index)).join('\n'),
  'random letters': pick('abcdefghijklmnopqrstuvwxyz'),
  'random marks': pick('!"#$%&()*+,-./:;<=>?@[]^_{|}~abcdeABCDE01234'),
  digits: pick('0123456789'),
  'a table of figures': Array.from({ length: 500 }, (_, row) => `${row},${(Math.sin(row) * 1000).toFixed(3)}`).join(
    '\n',
  ),
  capitals: many('WE HAVE FINISHED THE QUARTERLY ANALYSIS OF SALES DATA. '),
  German: many('Wir haben die Auswertung der Verkaufszahlen für das vierte Quartal abgeschlossen. '),
  Russian: many('Мы завершили анализ данных о продажах за четвёртый квартал, посмотрите отчёт. '),
  Greek: many('Ολοκληρώσαμε την ανάλυση των δεδομένων πωλήσεων. '),
  Arabic: many('لقد أكملنا تحليل بيانات المبيعات للربع الرابع، يرجى مراجعة التقرير. '),
  Hindi: many('हमने चौथी तिमाही के बिक्री आंकड़ों का विश्लेषण पूरा कर लिया है। '),
  Thai: many('เราได้วิเคราะห์ข้อมูลยอดขายไตรมาสที่สี่เสร็จแล้ว '),
  Chinese: many('我们已经完成了第四季度的销售数据分析,请查看附件中的报告并尽快回复。'),
  Japanese: many('第4四半期の売上データの分析が完了しました。報告書をご確認ください。'),
  Korean: many('4분기 매출 데이터 분석이 완료되었습니다. 보고서를 확인해 주세요.'),
  Amharic: many('የአራተኛው ሩብ ዓመት የሽያጭ መረጃ ትንተና አጠናቀናል። '),
  emoji: many('😀🚀👍🏽👨‍👩‍👧‍👦🔥✅⚠️'),
  'box drawing': many('┌──┬──┐│  │  │└──┴──┘'),
  'rare characters': characters(3_000, (index) => 0x3400 + ((index * 7919) % 0x1900)),
};

describe('the hub’s estimate', () => {
  it.each(Object.entries(kinds))('is not below the real cost of %s', (_, text) => {
    expect(tokensAtMost(text)).toBeGreaterThanOrEqual(countTokens(text));
  });

  it.each(['English prose', 'TypeScript', 'JSON'])('is at most half as much again for %s', (kind) => {
    const text = kinds[kind] ?? '';
    expect(tokensAtMost(text)).toBeLessThanOrEqual(1.5 * countTokens(text));
  });
});
