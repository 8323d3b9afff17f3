import { useCallback, useEffect, useState } from 'react';
import { useGraph } from '../graph/use-graph.ts';
import { type Stream, useStream } from '../graph/use-stream.ts';
import { now } from '../now.ts';
import {
  type Message,
  MessagesDocument,
  OrderChangedDocument,
  type OrderView,
  ReadOrderDocument,
} from './order-documents.ts';

export interface LiveOrder {
  /** Null until it is here. */
  readonly order: OrderView | null;
  /** The newest first. */
  readonly messages: readonly Message[];
  /** Of whether the order is there at all. */
  readonly stream: Stream;
}

/** The provider's clock and ours differ a little: asked at the very instant, it would often say "not yet". */
const AFTER = 500;
/** Longer ones fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** An order with its messages, as they change and arrive; over a broken connection none is missed and none shown twice. */
export function useOrder(id: string, onMessage: (message: Message) => void): LiveOrder {
  const graph = useGraph();
  const [order, setOrder] = useState<OrderView | null>(null);
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const stream = useStream(OrderChangedDocument, { id }, ({ orderChanged }) => setOrder(orderChanged));
  useStream(
    MessagesDocument,
    { id, after: -1 },
    ({ smsReceived }) => {
      setMessages((before) =>
        before.some(({ revision }) => revision === smsReceived.revision) ? before : [smsReceived, ...before],
      );
      onMessage(smsReceived);
    },
    (last) => ({ id, after: last.smsReceived.revision }),
  );

  const read = useCallback(async () => {
    const answer = await graph.ask(ReadOrderDocument, { id });
    if (answer.kind === 'data' && answer.data.order !== null) setOrder(answer.data.order);
  }, [graph, id]);

  const next = order === null ? null : nextChange(order);
  useEffect(() => {
    if (next === null) return;
    const wait = Math.min(next - now() + AFTER, LONGEST_TIMER);
    const timer = setTimeout(() => void read(), wait);
    return () => clearTimeout(timer);
  }, [next, read]);

  // The stream ends with the order; whether its number can be had again is known a little later.
  const isCompleted = stream.isEnded && stream.fault === null && order?.status === 'COMPLETED';
  useEffect(() => {
    if (isCompleted) void read();
  }, [isCompleted, read]);

  return { order, messages, stream };
}

/** When time alone will change what may be done, in milliseconds; null where it will not. */
function nextChange(order: OrderView): number | null {
  const { status, canCancel, canResend, cancelAvailableAt, resendAvailableAt, expiresAt } = order;
  if (status !== 'ACTIVE' && status !== 'OTP_RECEIVED') return null;
  const instants = [canCancel ? null : cancelAvailableAt, canResend ? null : resendAvailableAt, expiresAt]
    .map((instant) => Date.parse(instant ?? ''))
    .filter((instant) => instant > now());
  return instants.length === 0 ? null : Math.min(...instants);
}
