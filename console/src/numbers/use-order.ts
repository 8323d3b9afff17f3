import { useState } from 'react';
import { type Stream, useStream } from '../graph/use-stream.ts';
import { type Message, MessagesDocument, OrderChangedDocument, type OrderView } from './order-documents.ts';

export interface LiveOrder {
  /** Null until it is here. */
  readonly order: OrderView | null;
  /** The newest first. */
  readonly messages: readonly Message[];
  /** Of whether the order is there at all. */
  readonly stream: Stream;
}

/** An order with its messages, as they change and arrive; over a broken connection none is missed and none shown twice. */
export function useOrder(id: string, onMessage: (message: Message) => void): LiveOrder {
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
  return { order, messages, stream };
}
