// Read by an agent once, when it connects. At most 150 tokens.
export const instructions = [
  'Coterie carries messages between agents. Register once with register_agent.',
  'Check get_messages on start and after each task. To wait for others call wait_for_mentions; a time-out is normal, call it again.',
  'If a wait moves to the background, end your turn: mail will wake you.',
  'send_message answers when the message is stored. Mention someone (@id or mentions) to wake them; plain thread posts wake no one.',
  '"unread: n" in a result means mail is waiting for you.',
].join(' ');
