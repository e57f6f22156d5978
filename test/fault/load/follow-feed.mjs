// A follower of the session's feed: goes on after the last seq it has, however often the connection ends.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { copiesOf } from './history-writer.mjs';
import { HubChoice } from './hub-choice.mjs';

const retryMs = 50;

export async function followFeed(client) {
  const hubs = new HubChoice(client.config.urls, client.random);
  let after = 0;
  while (!client.control.isStopped) {
    const call = client.history.invoke(hubs.url, 'feed', { after });
    await follow(client, { url: hubs.url, after }, (messages) => {
      client.history.progress(call, copiesOf(messages));
      after = messages.at(-1).seq;
    });
    hubs.moveOn();
    await sleep(retryMs);
  }
}

/** One connection, until it ends, breaks or is left by the follower's own whim. */
function follow({ config, random, control }, { url, after }, take) {
  return new Promise((resolve) => {
    const headers = { 'last-event-id': String(after) };
    const sent = request(`${url}/v1/events`, { headers, agent: false });
    const leave = setInterval(() => {
      if (control.isStopped || (!control.isCalm && random.happens(config.leaveShare))) sent.destroy();
    }, 100);
    const end = () => {
      clearInterval(leave);
      resolve();
    };
    sent.once('error', end);
    sent.once('close', end);
    sent.once('response', (response) => {
      let rest = '';
      response.setEncoding('utf8');
      response.on('error', end);
      response.on('data', (chunk) => {
        const frames = `${rest}${chunk}`.split('\n\n');
        rest = frames.pop();
        const messages = frames.flatMap(messageOf);
        if (messages.length > 0) take(messages);
      });
    });
    sent.end();
  });
}

function messageOf(frame) {
  const lines = frame.split('\n');
  if (!lines.includes('event: message')) return [];
  return [JSON.parse(lines.find((line) => line.startsWith('data: ')).slice('data: '.length))];
}
