import type { TadaDocumentNode } from 'gql.tada';
import { useRef, useState } from 'react';
import type { Answer } from './client.ts';
import { useGraph } from './use-graph.ts';

export interface Mutation<Result, Variables> {
  /** Null: one is under way already. A second click asks for nothing more. */
  run(variables: Variables): Promise<Answer<Result> | null>;
  readonly isRunning: boolean;
}

/** Goes out once for each `run`, and is not taken back when the page changes meanwhile. */
export function useMutation<Result, Variables>(
  document: TadaDocumentNode<Result, Variables>,
): Mutation<Result, Variables> {
  const graph = useGraph();
  const isOut = useRef(false);
  const [isRunning, setRunning] = useState(false);
  return {
    isRunning,
    async run(variables) {
      if (isOut.current) return null;
      isOut.current = true;
      setRunning(true);
      const answer = await graph.ask(document, variables);
      isOut.current = false;
      setRunning(false);
      return answer;
    },
  };
}
