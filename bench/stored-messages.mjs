// 1 thousand, 100 thousand, 2 million messages stored over 50 sessions: reading an inbox and sending.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStoreDatabase } from '../dist/store/sqlite/open.js';
import { call, runLoad, withHub } from './support/processes.mjs';
import { quantile } from './support/raw-client.mjs';
import { printTable } from './support/table.mjs';
import { toolCallBody, toolCallHeaders } from './support/tool-call.mjs';

const sizes = (process.env['SIZES'] ?? '1000,100000,2000000').split(',').map(Number);
const [sessions, agents, threads] = [50, 10, 2_000];
const text =
  'a message of usual length, about one hundred and twenty bytes long, more or less, so that pages fill as they do';

const rows = [];
for (const size of sizes) {
  const data = mkdtempSync(join(tmpdir(), 'coterie-bench-'));
  fill(data, size);
  rows.push([size.toLocaleString('en'), ...(await withHub(measure, [], { data }))]);
  rmSync(data, { recursive: true, force: true });
}
printTable(['stored', 'inbox read p50 ms', 'inbox read p99 ms', 'sends/s'], rows);

/** History as the hub leaves it: every copy read, every index filled. Written in bulk; nothing here is measured. */
function fill(folder, size) {
  const database = openStoreDatabase({ folder, storeMaxBytes: null });
  database.exec('pragma synchronous = off; begin');
  for (let s = 0; s < sessions; s++) {
    database.prepare('insert into session (id, salt, created_at) values (?, ?, 0)').run(`s${s}`, s);
    for (let a = 0; a < agents; a++) {
      const columns = 'session_id, id, name, description, capabilities, kind, owner, registered_at, last_seen_at';
      database
        .prepare(`insert into agent (${columns}) values (?, ?, ?, '', '[]', 'agent', 'open', 0, 0)`)
        .run(`s${s}`, `a${a}`, `a${a}`);
    }
  }
  const message = database.prepare(
    `insert into message (n, session_id, seq, thread_id, sender, at, rank, role, priority, action, urgent, content, recipients)
     values (?, ?, ?, ?, ?, ?, 2, 'ASSISTANT', 'normal', 'queue', 0, ?, ?)`,
  );
  const delivery = database.prepare(
    `insert into delivery (n, agent_id, session_id, state, at, attempts, delivered_at, lane, why)
     values (?, ?, ?, 'read', ?, 1, ?, 1, 'thread')`,
  );
  for (let n = 1; n <= size; n++) {
    const session = `s${n % sessions}`;
    const sender = (n * 31) % agents;
    const readers = [1, 2, 3].map((step) => `a${(sender + step) % agents}`);
    const content = JSON.stringify([{ type: 'text', text }]);
    message.run(
      n,
      session,
      Math.ceil(n / sessions),
      `t${(n * 7919) % threads}`,
      `a${sender}`,
      n,
      content,
      JSON.stringify(readers),
    );
    for (const reader of readers) delivery.run(n, reader, session, n, n);
    if (n % 50_000 === 0) database.exec('commit; begin');
  }
  database.exec(`insert into thread_message select session_id, thread_id, seq from message order by 1, 2, 3;
    insert into reader_message select m.session_id, r.value, m.seq from message m, json_each(m.recipients) r order by 1, 2, 3;
    update watermark set n = ${size}; commit; pragma wal_checkpoint(truncate)`);
  database.close();
}

async function measure(url) {
  const times = [];
  for (let round = 0; round < 600; round++) {
    const [session, agent] = [`s${round % sessions}`, `a${round % agents}`];
    const headers = { 'coterie-session': session, 'coterie-agent': agent };
    if (round % 6 === 0)
      await call(url, 'send_message', { target: agent, message: text }, { ...headers, 'coterie-agent': 'a9' });
    const begin = performance.now();
    await call(url, 'get_messages', { limit: 50 }, headers);
    if (round >= 100) times.push(performance.now() - begin);
  }
  const figures = [];
  // Each load process takes one session; several sessions at once, as teams do.
  for (let part = 0; part < 5; part++) {
    const bodies = Array.from({ length: 9 }, (_, a) =>
      toolCallBody('send_message', { target: `a${a}`, message: `${text} @n` }),
    );
    const headers = { ...toolCallHeaders('send_message'), 'coterie-session': `s${part * 7}` };
    figures.push(
      (await runLoad({ url: `${url}/mcp?agent=a9`, headers, bodies, connections: 64, warmMs: 300, runMs: 1_500 }))
        .perSecond,
    );
  }
  return [quantile(times, 0.5).toFixed(2), quantile(times, 0.99).toFixed(2), Math.round(quantile(figures, 0.5))];
}
