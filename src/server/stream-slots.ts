import type { Principal } from './auth.ts';

export interface StreamLimits {
  readonly perSocket: number;
  readonly perKey: number;
}

/** The places of one WebSocket. */
export interface SocketSlots {
  open: number;
}

/** Counts open subscriptions, per socket and per key over all transports. */
export interface StreamSlots {
  /** Takes a place; returns what gives it back, once. Null: there is none. `socket` is null of an SSE stream. */
  take(principal: Principal, socket: SocketSlots | null): (() => void) | null;
}

export function createStreamSlots(limits: StreamLimits): StreamSlots {
  const openOf = new Map<string, number>();
  return {
    take(principal, socket) {
      const open = openOf.get(principal.keyHash) ?? 0;
      if (open >= limits.perKey || (socket !== null && socket.open >= limits.perSocket)) return null;
      openOf.set(principal.keyHash, open + 1);
      if (socket !== null) socket.open += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        if (socket !== null) socket.open -= 1;
        const left = (openOf.get(principal.keyHash) ?? 1) - 1;
        if (left === 0) openOf.delete(principal.keyHash);
        else openOf.set(principal.keyHash, left);
      };
    },
  };
}
