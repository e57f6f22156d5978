// A model that says what a script tells it to, and notes what it is shown. Each request of the conversation takes the
// script one step further: it gets what the model was shown since its last words, and yields the next call.
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** `say` turns a step of the script, `{ call, input }`, into a call by the client's name for the tool; `{ text }` ends a turn. */
export async function startModel({ api, script, say, log }) {
  let isAtEnd = false;
  let turns = 0;
  const note = (entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);

  async function serve(request, response) {
    const path = new URL(request.url, 'http://model').pathname;
    const text = Buffer.concat(await request.toArray()).toString();
    const body = text === '' ? {} : JSON.parse(text);
    note({ path, body });
    if (api.isTurn({ path, body }))
      sendEvents(response, api.answer(body, await nextWords(body), `call_${(turns += 1)}`));
    // Beside the conversation clients ask for titles, token counts, lists of models.
    else if (body.stream === true || path.endsWith(':streamGenerateContent'))
      sendEvents(response, api.answer(body, { text: 'ok' }, 'aside'));
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(api.aside({ path, body })));
  }

  async function nextWords(body) {
    const { value, done } = await script.next(api.shownIn(body));
    isAtEnd ||= done;
    const words = done ? { text: 'Done.' } : value.text === undefined ? { call: say(value) } : value;
    note(words);
    return words;
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, isAtEnd: () => isAtEnd };
}

function sendEvents(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of events) {
    const line = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${name === null ? '' : `event: ${name}\n`}data: ${line}\n\n`);
  }
  response.end();
}
