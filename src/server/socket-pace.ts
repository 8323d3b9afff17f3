import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** Bytes that may wait for a client. While there are more, nothing is read of what it asks. */
export const LARGEST_BACKLOG = 1024 * 1024;
/**
 * Operations of one socket under way at once. Where all wait for the same, such as a new catalog, they then run in one turn of
 * the event loop, and so many thousands of them would hold it for minutes.
 */
const MOST_AT_ONCE = 100;

/** Reads no more of a socket than is answered: what it asks waits on its own side. */
export interface SocketPace {
  /** Whether as many operations are under way as may: then no pong of the client's is seen either. */
  isFull(): boolean;
  begun(): void;
  ended(): void;
}

/** Also before a key is shown: the protocol's pings are answered to anybody, and bring back what they carry. */
export function createSocketPace(socket: WebSocket, wire: Duplex): SocketPace {
  let underWay = 0;
  let isHeld = false;

  const look = (): void => {
    const isToBeHeld = underWay >= MOST_AT_ONCE || socket.bufferedAmount > LARGEST_BACKLOG;
    if (isToBeHeld === isHeld) return;
    isHeld = isToBeHeld;
    if (isHeld) socket.pause();
    else socket.resume();
  };
  socket.on('message', look).on('ping', look);
  wire.on('drain', look);

  return {
    isFull: () => underWay >= MOST_AT_ONCE,
    begun() {
      underWay += 1;
      look();
    },
    ended() {
      underWay -= 1;
      look();
    },
  };
}
