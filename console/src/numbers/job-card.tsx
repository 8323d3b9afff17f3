import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Answer, GraphClient } from '../graph/client.ts';
import type { Fault } from '../graph/fault.ts';
import { useGraph } from '../graph/use-graph.ts';
import { useStream } from '../graph/use-stream.ts';
import { Notice } from '../parts/notice.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import type { Job } from './job.ts';
import {
  CreateOrderDocument,
  JobAttemptDocument,
  JobChangedDocument,
  type JobOutcome,
  ReactivateOrderDocument,
} from './job-documents.ts';
import { tellOutcome } from './job-words.ts';

export interface OrderedNumber {
  readonly id: string;
  readonly smsRevision: number;
  readonly phoneNumber: string | null;
}

type State =
  | { readonly kind: 'asking' }
  /** Kept over a reload, and the gateway has never heard of it. */
  | { readonly kind: 'never-arrived' }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'outcome'; readonly outcome: JobOutcome };

/** Asks for a job, and follows it to its end. Safe to ask again and again: the job is one charge. */
export function JobCard({
  job,
  onOrders,
  onDrop,
}: {
  readonly job: Job;
  readonly onOrders: (orders: readonly OrderedNumber[]) => void;
  readonly onDrop: () => void;
}): ReactNode {
  const { t, format } = useSpeech();
  const graph = useGraph();
  const [state, setState] = useState<State>({ kind: 'asking' });
  const [round, setRound] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    // The button that ordered it is gone.
    if (!job.isKept) heading.current?.focus();
  }, [job.isKept]);

  const settle = useEffectEvent((next: State) => {
    setState(next);
    if (next.kind !== 'outcome' || !('orders' in next.outcome)) return;
    onOrders(next.outcome.orders);
    if (tellOutcome(next.outcome, t, format) === null) onDrop();
  });

  useEffect(() => {
    let isShown = true;
    const ask = async (): Promise<State> => {
      const isFirst = round === 0;
      if (isFirst && job.isKept) {
        const known = await graph.ask(JobAttemptDocument, { job: job.id });
        if (known.kind === 'fault') return known;
        // A person ordered it before the reload. Perhaps long before: it is for a person to say whether still.
        if (known.data.createAttempt === null) return { kind: 'never-arrived' };
      }
      return outcomeOf(await request(graph, job));
    };
    void ask().then((next) => isShown && settle(next));
    return () => {
      isShown = false;
    };
  }, [graph, job, round]);

  const told = state.kind === 'outcome' ? tellOutcome(state.outcome, t, format) : null;
  const isOpen = told?.isOpen === true;
  const shownState = state.kind === 'outcome' ? state.outcome.attempt?.state : undefined;
  useStream(JobChangedDocument, isOpen ? { job: job.id } : null, ({ createAttemptChanged }) => {
    if (createAttemptChanged.state !== shownState) setRound(round + 1);
  });

  const again = (): void => {
    setState({ kind: 'asking' });
    setRound(round + 1);
  };
  return (
    <article className="card job" aria-busy={state.kind === 'asking'}>
      <header className="card-head">
        <h3 ref={heading} tabIndex={-1}>
          {job.title}
        </h3>
        <span className="pill">{t.job[job.request.kind]}</span>
      </header>
      {state.kind === 'asking' && <p role="status">{t.job.asking}</p>}
      {state.kind === 'never-arrived' && (
        <Notice tone="warn" isNews>
          {t.job.kept}
        </Notice>
      )}
      {state.kind === 'fault' && (
        <Notice tone="bad" isNews>
          {state.fault.kind === 'unreachable' ? t.job.unreachable : state.fault.message}
        </Notice>
      )}
      {told !== null && (
        <Notice tone={told.tone} isNews>
          {told.text}
        </Notice>
      )}
      {state.kind !== 'asking' && (
        <div className="button-row">
          {state.kind === 'never-arrived' && (
            <button type="button" className="button button-main" onClick={again}>
              {t.job.orderNow}
            </button>
          )}
          {state.kind === 'fault' && (
            <button type="button" className="button button-main" onClick={again}>
              {t.job.askAgain}
            </button>
          )}
          <button type="button" className="button button-quiet" onClick={onDrop}>
            {state.kind === 'never-arrived' ? t.job.drop : t.job.dismiss}
          </button>
        </div>
      )}
    </article>
  );
}

function request(graph: GraphClient, job: Job): Promise<Answer<{ readonly outcome: JobOutcome }>> {
  const businessJobId = job.id;
  if (job.request.kind === 'reactivate') {
    const { orderId, maxCost } = job.request;
    return graph.ask(ReactivateOrderDocument, { input: { businessJobId, orderId, maxCost } });
  }
  const { catalogProductId, quantity, maxUnitPrice, operatorId } = job.request;
  return graph.ask(CreateOrderDocument, {
    input: {
      businessJobId,
      catalogProductId,
      quantity,
      maxUnitPrice,
      ...(operatorId !== null && { routing: { operatorId } }),
    },
  });
}

function outcomeOf(answer: Answer<{ readonly outcome: JobOutcome }>): State {
  return answer.kind === 'fault' ? answer : { kind: 'outcome', outcome: answer.data.outcome };
}
