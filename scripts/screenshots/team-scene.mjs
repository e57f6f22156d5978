// What the pictures of the console show: a team that talks in threads about a migration, and waits for a person.

const directive = '@ben Load the copy of production and measure the lock. Done when we know seconds, not guesses.';
const measured = [
  { type: 'text', text: 'Lock held **38 to 43 s** over five runs. Checkout’s p95 goes to 41 s while it lasts.' },
  { type: 'tool_use', id: 'tu1', name: 'measure_lock', input: { table: 'orders', runs: 5 } },
  { type: 'tool_result', toolUseId: 'tu1', output: '38 s\n41 s\n43 s\n39 s\n40 s' },
];
const proposal = [
  { type: 'thinking', thinking: 'A nullable column needs no rewrite. Then fill in batches, then set NOT NULL.' },
  { type: 'text', text: '@ada Why not add it without a default and fill it in batches? I would rather not lock.' },
];
const backup = [
  { type: 'text', text: 'Yes, at 02:10. 41 GB, checksum good. The restore on the second copy failed.' },
  { type: 'tool_use', id: 'tu2', name: 'restore_copy', input: { copy: 'copy-2' } },
  { type: 'tool_result', toolUseId: 'tu2', isError: true, output: 'no space left on volume copy-2' },
];

/** `call(agent, operation, input)` is a call of the hub. */
export async function playTeam(call, person) {
  for (const title of ['Release 2.4', 'Lint rules', 'Nightly build']) {
    await call('dora', 'create_thread', { title, participants: ['eli'], initialMessage: `About ${title}` });
  }
  const participants = ['ben', 'cleo', person];
  const { threadId } = await call('ada', 'create_thread', { title: 'Orders migration', participants });
  const post = async (agent, message) =>
    (await call(agent, 'send_message', { threadId, messageType: 'RESULT', ...message })).messageId;
  // As often as it takes to read all of it, and to confirm that.
  const read = async (agent) => {
    for (let times = 0; times < 2; times += 1) await call(agent, 'get_messages', {});
  };
  const task = await post('ada', { content: directive, messageType: 'DIRECTIVE', priority: 'high' });
  await read('ben');
  await post('ben', { content: 'Taken. About 20 minutes.', messageType: 'ACK', replyTo: task });
  await post('ben', { content: measured, replyTo: task });
  const asked = await post('cleo', { content: proposal, messageType: 'QUERY', shareThinking: true });
  await read('ada');
  await post('ada', { content: `That takes two releases. It is not ours to choose: @${person}`, replyTo: asked });
  await post(person, { content: '@ben Did last night’s backup run?', messageType: 'QUERY' });
  await read('ben');
  await post('ben', { content: backup });
  // A dead letter.
  await call('ada', 'send_message', { target: 'bne', content: 'Shard 3 is yours now.' }).catch(() => {});
  return threadId;
}
