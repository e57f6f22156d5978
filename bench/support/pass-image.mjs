// Sends one large image from Eve to Fay and reads it, in a process of its own: making and parsing megabytes must not
// hold up whoever measures. Run by bench/attachments.mjs, not by hand.
import { randomBytes } from 'node:crypto';

process.once('message', ({ url, imageBytes, waitMs }) => {
  passImage(url, imageBytes, waitMs).then(
    (figures) => {
      process.send?.(figures);
      process.disconnect();
    },
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function passImage(url, imageBytes, waitMs) {
  const data = randomBytes(imageBytes).toString('base64');
  const source = { type: 'base64', mediaType: 'image/png', data };
  const body = JSON.stringify({ target: 'fay', content: [{ type: 'image', source }] });
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const started = performance.now();
  await post(url, 'send_message', 'eve', body);
  const stored = performance.now();
  const answer = await post(url, 'get_messages', 'fay', '{}');
  const delivered = performance.now();
  if (!answer.includes(data)) throw new Error(`the image did not come: ${answer.slice(0, 300)}`);
  return { stored: stored - started, delivered: delivered - stored };
}

async function post(url, operation, agent, body) {
  const headers = { 'content-type': 'application/json', 'coterie-agent': agent };
  const response = await fetch(`${url}/v1/${operation}`, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(text.slice(0, 300));
  return text;
}
