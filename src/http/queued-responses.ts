// Responses of pipelined requests wait for the one before them. Node tells only the first that the connection has closed:
// without this, whatever waits for a client in the queue would wait for good.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const queues = new WeakMap<Socket, Set<ServerResponse>>();

/** Makes sure that `close` is emitted by a response that has not got its connection yet. */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null) return;
  const queue = queues.get(socket) ?? newQueue(socket);
  queue.add(response);
  response.once('close', () => queue.delete(response));
}

function newQueue(socket: Socket): Set<ServerResponse> {
  const queue = new Set<ServerResponse>();
  queues.set(socket, queue);
  socket.once('close', () => {
    for (const response of Array.from(queue)) response.emit('close');
  });
  return queue;
}
