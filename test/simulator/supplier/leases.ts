/** Leases that the gateway has said it holds, and must keep from running out. */
export interface Leases {
  readonly held: ReadonlySet<string>;
  /** A lease is asked for, or its end. What it gives is called with the answer: whether it is held now. */
  begin(order: string): { end(isHeld: boolean): void };
}

/** Of two wishes at once on one order nobody can say which comes last: neither counts. */
export function createLeases(): Leases {
  const held = new Set<string>();
  const turns = new Map<string, { wishes: number; underWay: number }>();
  return {
    held,
    begin(order) {
      held.delete(order);
      const turn = turns.get(order) ?? { wishes: 0, underWay: 0 };
      turns.set(order, turn);
      const isAlone = turn.underWay === 0;
      turn.underWay += 1;
      turn.wishes += 1;
      const mine = turn.wishes;
      return {
        end(isHeld) {
          turn.underWay -= 1;
          if (isHeld && isAlone && turn.wishes === mine) held.add(order);
        },
      };
    },
  };
}
