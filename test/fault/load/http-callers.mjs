// Plain HTTP clients of every habit: pooled connections, one per call, closed the moment the answer is there, fetch.
// A call gives the answer's body, throws Refused, or throws anything else: then its outcome is unknown.
import { Agent, request } from 'node:http';
import { after } from './aim.mjs';

/** The hub said no, with a code: nothing happened. */
export class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }

  /** It says nothing about what became of an earlier try. */
  get isForNow() {
    return this.code === 'STORE_UNAVAILABLE';
  }
}

/** A store that stopped in the middle says itself that it does not know: then it is not a refusal. */
export function errorOf({ code, details }) {
  return details?.outcome === 'unknown' ? new Error(code) : new Refused(code);
}

export function httpCaller(via, { hubs, agent }) {
  const call = via === 'fetch' ? callByFetch : callByNode;
  const pool = via === 'keep-alive' ? new Agent({ keepAlive: true, maxSockets: 8 }) : undefined;
  return { call: (operation, input, give) => call({ via, url: hubs.url, agent, operation, input, give, pool }) };
}

const callMsMax = 20_000;

function callByNode({ via, url, agent, operation, input, give, pool }) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(input);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...named(agent) };
    // An agent of its own per call is a connection of its own; without keepAlive it also says `Connection: close`.
    const connections = pool ?? new Agent({ keepAlive: via === 'one-shot' });
    const sent = request(`${url}/v1/${operation}`, { method: 'POST', agent: connections, headers });
    const overdue = setTimeout(() => sent.destroy(new Error('overdue')), callMsMax);
    const callOff = giveUpAt(give, () => sent.destroy(new Error('gave up')));
    const end = (settle) => {
      clearTimeout(overdue);
      callOff();
      settle();
    };
    sent.once('error', (error) => end(() => reject(error)));
    sent.once('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.once('error', (error) => end(() => reject(error)));
      response.once('end', () => {
        if (via === 'one-shot') sent.socket?.destroy();
        end(() => settleBy(Buffer.concat(chunks).toString(), resolve, reject));
      });
    });
    sent.end(body);
  });
}

async function callByFetch({ url, agent, operation, input, give }) {
  const abort = new AbortController();
  const callOff = giveUpAt(give, () => abort.abort());
  const overdue = setTimeout(() => abort.abort(), callMsMax);
  try {
    const response = await fetch(`${url}/v1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...named(agent) },
      body: JSON.stringify(input),
      signal: abort.signal,
    });
    return bodyOf(await response.text());
  } finally {
    clearTimeout(overdue);
    callOff();
  }
}

/** Giving up is the caller's own doing, or the end of its process. */
function giveUpAt(give, destroy) {
  if (give === undefined) return () => {};
  return after(give.upAfterMs, give.dies ? () => process.kill(process.pid, 'SIGKILL') : destroy);
}

function settleBy(text, resolve, reject) {
  try {
    resolve(bodyOf(text));
  } catch (error) {
    reject(error);
  }
}

function bodyOf(text) {
  const body = JSON.parse(text);
  if (body.error === undefined) return body;
  throw errorOf(body.error);
}

function named(agent) {
  return agent === undefined ? {} : { 'coterie-agent': agent };
}
