import type { ResultOf } from 'gql.tada';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Answer } from '../graph/client.ts';
import { useGraph } from '../graph/use-graph.ts';
import { useNow } from '../now.ts';
import { Confirm } from '../parts/confirm.tsx';
import { faultWords } from '../parts/fault-notice.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { type ActionName, type ActionTold, actionNames, isAllowed, runAction } from './action.ts';
import { newJobId } from './job.ts';
import { useJobs } from './jobs.tsx';
import { type OrderView, QuoteDocument } from './order-documents.ts';

/** A price that was asked for; null while it is on its way. */
type Quote =
  | { readonly kind: 'price'; readonly cost: number }
  | { readonly kind: 'none'; readonly text: string };

/** What may be done, exactly by the order's flags, each asked about once more with what it costs or gives back. */
export function OrderActions({
  order,
  title,
}: {
  readonly order: OrderView;
  readonly title: string;
}): ReactNode {
  const { t, format } = useSpeech();
  const graph = useGraph();
  const jobs = useJobs();
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement | null>(null);
  const [asked, setAsked] = useState<ActionName | null>(null);
  const [quote, setQuote] = useState<Quote | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState<ActionTold | null>(null);
  const shown = actionNames.filter((name) => isShown(name, order));
  if (shown.length === 0 && told === null) return null;

  const leave = (): void => {
    // The buttons are hidden behind the question, and what is hidden takes no focus.
    flushSync(() => setAsked(null));
    opener.current?.focus();
  };
  const open = (name: ActionName, button: HTMLButtonElement): void => {
    opener.current = button;
    setTold(null);
    setQuote(null);
    setAsked(name);
    if (name === 'reactivate')
      void graph.ask(QuoteDocument, { id: order.id }).then((answer) => setQuote(quoteOf(answer)));
  };
  const quoteOf = (answer: Answer<ResultOf<typeof QuoteDocument>>): Quote => {
    if (answer.kind === 'fault') return { kind: 'none', text: faultWords(answer.fault, t) };
    const { quote: got } = answer.data;
    return got.__typename === 'ReactivationQuote'
      ? { kind: 'price', cost: got.cost }
      : { kind: 'none', text: t.actions.reactivate.unavailable[got.code] };
  };
  const confirm = async (name: ActionName): Promise<void> => {
    if (name === 'reactivate') {
      if (quote?.kind !== 'price') return;
      jobs.start(newJobId(), title, { kind: 'reactivate', orderId: order.id, maxCost: quote.cost });
      return setAsked(null);
    }
    setBusy(true);
    const outcome = await runAction(graph, name, order.id, t, format);
    setBusy(false);
    setTold(outcome);
    setAsked(null);
    // The button may be off for good now.
    box.current?.focus();
  };

  return (
    <div className="actions" ref={box} tabIndex={-1}>
      {told !== null && (
        <Notice tone={told.tone} isNews>
          {told.text}
        </Notice>
      )}
      {asked !== null && (
        <Confirm
          question={isBusy ? t.actions.working : questionOf(asked, order, quote)}
          confirm={confirmWord(asked, quote)}
          keep={t.actions.keep}
          isDanger={asked === 'cancel'}
          isBusy={isBusy}
          onConfirm={() => void confirm(asked)}
          onKeep={leave}
        />
      )}
      <ul className="button-row" aria-label={t.actions.label} hidden={asked !== null}>
        {shown.map((name) => (
          <li key={name}>
            <ActionButton name={name} order={order} onOpen={(button) => open(name, button)} />
          </li>
        ))}
      </ul>
    </div>
  );

  function questionOf(name: ActionName, { phoneNumber, amount }: OrderView, price: Quote | null): string {
    const number = phoneNumber ?? title;
    switch (name) {
      case 'cancel':
        return t.actions.cancel.ask(number, format.money(amount));
      case 'finish':
        return t.actions.finish.ask(number, format.money(amount));
      case 'resend':
        return t.actions.resend.ask(number);
      case 'reactivate':
        if (price === null) return t.actions.reactivate.pricing;
        return price.kind === 'price'
          ? t.actions.reactivate.ask(number, format.money(price.cost))
          : price.text;
    }
  }

  function confirmWord(name: ActionName, price: Quote | null): string | null {
    if (name !== 'reactivate') return t.actions[name].confirm;
    return price?.kind === 'price' ? t.actions.reactivate.confirm(format.money(price.cost)) : null;
  }
}

function ActionButton({
  name,
  order,
  onOpen,
}: {
  readonly name: ActionName;
  readonly order: OrderView;
  readonly onOpen: (button: HTMLButtonElement) => void;
}): ReactNode {
  const { t, format } = useSpeech();
  const at = useNow();
  const isOn = isAllowed(name, order);
  const from =
    name === 'cancel' ? order.cancelAvailableAt : name === 'resend' ? order.resendAvailableAt : null;
  const wait = !isOn && from !== null ? Date.parse(from) - at : 0;
  const promise =
    name === 'cancel' ? t.actions.cancel.hint(format.money(order.amount)) : t.actions[name].hint;
  // What may not be done promises nothing: after an SMS no money comes back.
  const hint = isOn ? promise : t.actions.notNow;
  return (
    <button
      type="button"
      className="button action"
      data-action={name}
      disabled={!isOn}
      onClick={(event) => onOpen(event.currentTarget)}
    >
      {t.actions[name].name}
      <small>{wait > 0 ? t.actions.availableIn(format.countdown(wait)) : hint}</small>
    </button>
  );
}

/** Those of the order's stage; whether each is on is for its flag alone. */
function isShown(name: ActionName, order: OrderView): boolean {
  const isOpen = order.status === 'ACTIVE' || order.status === 'OTP_RECEIVED';
  return isAllowed(name, order) || (name === 'reactivate' ? order.status === 'COMPLETED' : isOpen);
}
