import { createHash } from 'node:crypto';

/** Name spaces of advisory locks on orders, apart from those of other schemas in the same database. */
export interface LockSpaces {
  /** Held by who works off an order's webhooks. */
  readonly work: number;
  /** Shared by who stores webhooks; taken alone by a read that brings a message, which must see all that were answered. */
  readonly arrivals: number;
}

export function lockSpacesOf(schema: string): LockSpaces {
  const hash = createHash('sha256').update(schema).digest();
  return { work: hash.readInt32BE(0), arrivals: hash.readInt32BE(4) };
}
