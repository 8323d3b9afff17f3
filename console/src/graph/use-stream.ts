import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Fault } from './fault.ts';
import { useGraph } from './use-graph.ts';

export interface Stream {
  /** What ended it before its time. */
  readonly fault: Fault | null;
  readonly isEnded: boolean;
  /** Opens it again after a fault. */
  restart(): void;
}

/**
 * Follows a subscription for as long as it is shown. `resume` tells the variables to open it with after a broken
 * connection, from the last item; left out: the first ones. Variables of null: there is nothing to follow.
 */
export function useStream<Result, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Result, Variables>,
  variables: Variables | null,
  onItem: (item: Result) => void,
  resume?: (last: Result) => Variables,
): Stream {
  const graph = useGraph();
  const key = JSON.stringify(variables);
  const [round, setRound] = useState(0);
  const [end, setEnd] = useState<{ key: string; fault: Fault | null } | null>(null);
  const take = useEffectEvent(onItem);
  const opened = `${round} ${key}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `opened` stands for the variables and the round
  useEffect(() => {
    if (variables === null) return;
    let behind: Variables = variables;
    return graph.follow(document, () => behind, {
      next(item) {
        if (resume !== undefined) behind = resume(item);
        take(item);
      },
      failed: (fault) => setEnd({ key: opened, fault }),
      ended: () => setEnd({ key: opened, fault: null }),
    });
  }, [graph, document, opened]);

  const isOver = end?.key === opened;
  return {
    fault: isOver ? end.fault : null,
    isEnded: isOver,
    restart: () => setRound((at) => at + 1),
  };
}
