// Starts a hub on what a cut left, lets every reader take all that comes, and compares with what the clients had noted.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startHub } from '../../dist/compose.js';
import { loadConfig } from '../../dist/config.js';
import { openDatabase } from '../../dist/store/sqlite/writer/driver.js';
import { silent } from './record.mjs';

/** Not this machine's: the hub is to take its start for one after a power cut. */
const otherBoot = 1;

export async function judgeCut({ folder, files, cut, events, isUnnoticed }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of files) if (bytes.length > 0) writeFileSync(join(folder, name), bytes, { mode: 0o600 });
  // Noted a whole millisecond before the next write began: surely before the cut.
  const before = events.filter(({ atMs }) => (atMs + 1) * 1_000 < cut.atUs);
  const verdict = {
    lost: 0,
    unmarkedRepeats: 0,
    outOfOrder: 0,
    failedStarts: 0,
    marked: 0,
    handedOut: 0,
    sentences: [],
  };
  let copies;
  try {
    copies = await takeAll(folder, { agents: new Set(events.flatMap(({ agent }) => agent ?? [])), isUnnoticed });
    checkFile(folder);
  } catch (error) {
    return { ...verdict, failedStarts: 1, sentences: [`the hub did not start or serve: ${error.message}`] };
  }
  verdict.handedOut = copies.length;
  verdict.marked = copies.filter(({ isMarked }) => isMarked).length;
  compare(verdict, { before, copies, stored: storedIn(folder) });
  return verdict;
}

function nameOf({ agent, seq }) {
  return `${agent} ${seq}`;
}

function compare(verdict, { before, copies, stored }) {
  const note = (name, sentence) => {
    verdict[name] += 1;
    verdict.sentences.push(sentence);
  };
  const seenBefore = before.filter(({ kind }) => kind === 'seen');
  const reached = new Set([...seenBefore, ...copies].map(nameOf));
  for (const { seq, to, uid } of before.filter(({ kind }) => kind === 'sent')) {
    if (!stored.get(seq)?.includes(`message ${uid}"`))
      note('lost', `seq ${seq}, which was acknowledged, is not stored.`);
    else if (!reached.has(nameOf({ agent: to, seq })))
      note('lost', `seq ${seq} reached ${to} neither before nor after.`);
  }
  const unmarkedBefore = new Set(seenBefore.filter(({ isMarked }) => !isMarked).map(nameOf));
  const last = new Map();
  for (const { agent, seq } of seenBefore) last.set(agent, Math.max(last.get(agent) ?? 0, seq));
  for (const copy of copies.filter(({ isMarked }) => !isMarked)) {
    if (unmarkedBefore.has(nameOf(copy)))
      note('unmarkedRepeats', `seq ${copy.seq} came to ${copy.agent} again, unmarked.`);
    else if (copy.seq < (last.get(copy.agent) ?? 0)) note('outOfOrder', `seq ${copy.seq} came late and unmarked.`);
  }
}

async function takeAll(folder, { agents, isUnnoticed }) {
  const config = loadConfig(['--data', folder, '--port', '0'], {});
  let broken;
  const boot = isUnnoticed ? {} : { boot: otherBoot };
  const hub = await startHub({ config, log: silent, ...boot, onBroken: (message) => (broken = message) });
  const copies = [];
  try {
    for (const agent of agents) {
      for (let hasMore = true; hasMore;) {
        const answer = await take(hub.url, agent);
        for (const { seq, redelivered } of answer.messages) copies.push({ agent, seq, isMarked: redelivered === true });
        ({ hasMore } = answer);
      }
    }
  } finally {
    await hub.stop({ isHurried: true });
  }
  if (broken !== undefined) throw new Error(broken);
  return copies;
}

async function take(url, agent) {
  const response = await fetch(`${url}/v1/get_messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'coterie-agent': agent },
    body: JSON.stringify({ limit: 500 }),
  });
  const answer = await response.json();
  if (answer.error !== undefined) throw new Error(answer.error.message);
  return answer;
}

function checkFile(folder) {
  const database = openDatabase(join(folder, 'coterie.db'), { readOnly: true });
  const [{ quick_check: found }] = database.prepare('pragma quick_check').all();
  database.close();
  if (found !== 'ok') throw new Error(`the database is damaged: ${found}`);
}

function storedIn(folder) {
  const database = openDatabase(join(folder, 'coterie.db'), { readOnly: true });
  const rows = database.prepare("select seq, content from message where session_id = 'default' order by seq").all();
  database.close();
  return new Map(rows.map(({ seq, content }) => [seq, content]));
}
