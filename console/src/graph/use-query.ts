import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useState } from 'react';
import type { Fault } from './fault.ts';
import { useGraph } from './use-graph.ts';

export interface Query<Result> {
  /** The last answer; kept while the next one is on its way, and when that fails. */
  readonly data: Result | null;
  readonly fault: Fault | null;
  readonly isLoading: boolean;
  refresh(): void;
}

/**
 * Asks, and asks again whenever the variables change and, where `everyMs` says so, while somebody looks at the page.
 * Variables of null: there is nothing to ask yet.
 */
export function useQuery<Result, Variables>(
  document: TadaDocumentNode<Result, Variables>,
  variables: Variables | null,
  everyMs?: number,
): Query<Result> {
  const graph = useGraph();
  const key = JSON.stringify(variables);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ data: Result | null; fault: Fault | null; settled: string | null }>({
    data: null,
    fault: null,
    settled: null,
  });
  const asked = `${round} ${key}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` stands for the variables and the round
  useEffect(() => {
    if (variables === null) return;
    const gone = new AbortController();
    void graph.ask(document, variables, gone.signal).then((answer) => {
      if (gone.signal.aborted) return;
      setState(({ data }) =>
        answer.kind === 'data'
          ? { data: answer.data, fault: null, settled: asked }
          : { data, fault: answer.fault, settled: asked },
      );
    });
    return () => gone.abort();
  }, [graph, document, asked]);

  useEffect(() => {
    if (everyMs === undefined) return;
    const again = (): void => {
      if (window.document.visibilityState === 'visible') setRound((at) => at + 1);
    };
    const timer = setInterval(again, everyMs);
    window.document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      window.document.removeEventListener('visibilitychange', again);
    };
  }, [everyMs]);

  return {
    data: state.data,
    fault: state.fault,
    isLoading: variables !== null && state.settled !== asked,
    refresh: () => setRound((at) => at + 1),
  };
}
