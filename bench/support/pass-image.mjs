// Sends one large image from Eve to Fay and reads it, in a process of its own: making and parsing megabytes must not
// hold up whoever measures. Does one step for each message it gets. Run by bench/attachments.mjs, not by hand.
import { randomBytes } from 'node:crypto';

const steps = { prepare, store, deliver };
let image;

process.on('message', ({ step, ...input }) => {
  steps[step](input).then(
    (ms) => process.send?.({ ms }),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function prepare({ url, imageBytes }) {
  const data = randomBytes(imageBytes).toString('base64');
  const source = { type: 'base64', mediaType: 'image/png', data };
  image = { url, data, body: JSON.stringify({ target: 'fay', content: [{ type: 'image', source }] }) };
}

async function store() {
  const started = performance.now();
  await post('send_message', 'eve', image.body);
  return performance.now() - started;
}

async function deliver() {
  const started = performance.now();
  const answer = await post('get_messages', 'fay', '{}');
  const ms = performance.now() - started;
  if (!answer.includes(image.data)) throw new Error(`the image did not come: ${answer.slice(0, 300)}`);
  return ms;
}

async function post(operation, agent, body) {
  const headers = { 'content-type': 'application/json', 'coterie-agent': agent };
  const response = await fetch(`${image.url}/v1/${operation}`, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(text.slice(0, 300));
  return text;
}
