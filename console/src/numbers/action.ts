import type { GraphClient } from '../graph/client.ts';
import { faultWords } from '../parts/fault-notice.tsx';
import type { Texts } from '../texts/en.ts';
import type { Format } from '../texts/format.ts';
import { CancelDocument, FinishDocument, type OrderView, ResendDocument } from './order-documents.ts';

export const actionNames = ['resend', 'finish', 'cancel', 'reactivate'] as const;
export type ActionName = (typeof actionNames)[number];

export interface ActionTold {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
}

/** The order's own flag, and nothing worked out from times or its status. */
export function isAllowed(name: ActionName, order: OrderView): boolean {
  switch (name) {
    case 'cancel':
      return order.canCancel;
    case 'finish':
      return order.canFinish;
    case 'resend':
      return order.canResend;
    case 'reactivate':
      return order.canReactivate;
  }
}

/** Does it, once, and tells what came of it. */
export async function runAction(
  graph: GraphClient,
  name: 'cancel' | 'finish' | 'resend',
  id: string,
  t: Texts,
  format: Format,
): Promise<ActionTold> {
  const { actions } = t;
  const answer = await ask(graph, name, id);
  if (answer.kind === 'fault') {
    // No answer: it may have been done all the same.
    const text = answer.fault.kind === 'unreachable' ? actions.unclear : faultWords(answer.fault, t);
    return { tone: 'bad', text };
  }
  const { outcome } = answer.data;
  switch (outcome.__typename) {
    case 'CancelReceipt': {
      const { refundAmount, newBalance } = outcome;
      return {
        tone: 'good',
        text: actions.cancel.done(format.money(refundAmount), format.money(newBalance)),
      };
    }
    case 'CancelConfirmed':
      return { tone: 'good', text: actions.cancel.confirmed };
    case 'FinishReceipt':
    case 'FinishConfirmed':
      return { tone: 'good', text: actions.finish.done };
    case 'ResendReceipt':
      return { tone: 'good', text: actions.resend.done };
    case 'CancelSkipped':
    case 'FinishSkipped':
    case 'ResendSkipped':
      return { tone: 'warn', text: actions.skipped };
    case 'CancelRejected':
    case 'FinishRejected':
    case 'ResendRejected':
      return { tone: 'bad', text: actions.refused(actions.rejection[outcome.code]) };
    case 'CancelAmbiguous':
    case 'FinishAmbiguous':
    case 'ResendAmbiguous':
      return { tone: 'warn', text: actions.unclear };
  }
}

function ask(graph: GraphClient, name: 'cancel' | 'finish' | 'resend', id: string) {
  switch (name) {
    case 'cancel':
      return graph.ask(CancelDocument, { id });
    case 'finish':
      return graph.ask(FinishDocument, { id });
    case 'resend':
      return graph.ask(ResendDocument, { id });
  }
}
