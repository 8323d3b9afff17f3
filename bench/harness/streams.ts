import { WebSocket } from 'ws';

const FOLLOW =
  'subscription F($id: ID!) { smsReceived(orderId: $id, afterRevision: 0) { revision message otpCode } }';
const STREAMS_PER_SOCKET = 500;

export interface Streams {
  /** Messages that have come so far, over all streams. */
  messages(): number;
  close(): void;
}

/** Opens a stream for each of these orders, and counts what they bring. */
export async function openStreams(
  port: number,
  authorization: string,
  orders: readonly number[],
): Promise<Streams> {
  const sockets: WebSocket[] = [];
  let messages = 0;
  for (let at = 0; at < orders.length; at += STREAMS_PER_SOCKET) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('open', () =>
        socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } })),
      );
      socket.on('message', (data) => {
        const text = String(data);
        if (text.includes('"errors"') || text.includes('"error"')) reject(new Error(text));
        else if (text.includes('"next"')) messages += 1;
        else if (text.includes('connection_ack')) {
          for (const order of orders.slice(at, at + STREAMS_PER_SOCKET)) {
            const id = String(order);
            socket.send(
              JSON.stringify({ id, type: 'subscribe', payload: { query: FOLLOW, variables: { id } } }),
            );
          }
          resolve();
        }
      });
    });
  }
  return {
    messages: () => messages,
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}
