import { type FormEvent, type ReactNode, useState } from 'react';
import { useMutation } from '../graph/use-mutation.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { faultWords } from '../parts/fault-notice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Radios } from '../parts/radios.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import { Evidence } from './evidence.tsx';
import { type Attempt, CloseReviewDocument } from './operations-documents.ts';

type Finding = 'NOT_ORDERED' | 'ORDERED';

/** What a person found out about a request of which nobody knows whether it was charged. */
export function CloseReview({
  attempt,
  onClosed,
}: {
  readonly attempt: Attempt;
  readonly onClosed: () => void;
}): ReactNode {
  const { t } = useSpeech();
  const announce = useAnnounce();
  const close = useMutation(CloseReviewDocument);
  const [finding, setFinding] = useState<Finding>('NOT_ORDERED');
  const [ids, setIds] = useState('');
  const [note, setNote] = useState('');
  const [wrong, setWrong] = useState<{ readonly note: boolean; readonly orders: boolean } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const orderIds = ids.split(/[\s,]+/).filter((id) => id !== '');
  const { caller, businessJobId } = attempt;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const missing = { note: note.trim() === '', orders: finding === 'ORDERED' && orderIds.length === 0 };
    setWrong(missing);
    setProblem(null);
    if (missing.note || missing.orders) return;
    const answer = await close.run({
      input: {
        caller,
        businessJobId,
        finding,
        note: note.trim(),
        ...(finding === 'ORDERED' && { orderIds }),
      },
    });
    if (answer === null) return;
    if (answer.kind === 'fault') return setProblem(faultWords(answer.fault, t));
    announce(t.operations.closedDone(businessJobId));
    onClosed();
  };

  return (
    <form className="close-review" onSubmit={(event) => void submit(event)} noValidate>
      <h3>{t.operations.close}</h3>
      <p className="hint">{t.operations.closeLead}</p>
      <Radios
        legend={t.operations.finding}
        value={finding}
        options={{
          NOT_ORDERED: `${t.operations.NOT_ORDERED}. ${t.operations.notOrderedHint}`,
          ORDERED: `${t.operations.ORDERED}. ${t.operations.orderedHint}`,
        }}
        onChange={setFinding}
      />
      {finding === 'ORDERED' && (
        <Evidence attempt={attempt} ticked={orderIds} onTick={(ticked) => setIds(ticked.join(', '))} />
      )}
      {finding === 'ORDERED' && (
        <Field
          label={t.operations.orderIds}
          hint={t.operations.orderIdsHint}
          error={wrong?.orders === true && orderIds.length === 0 ? t.operations.missingOrders : null}
        >
          {(control) => (
            <input
              {...control}
              type="text"
              className="mono"
              autoComplete="off"
              value={ids}
              onChange={(event) => setIds(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field
        label={t.operations.note}
        hint={t.operations.noteHint}
        error={wrong?.note === true && note.trim() === '' ? t.operations.missingNote : null}
      >
        {(control) => (
          <textarea {...control} rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
        )}
      </Field>
      {problem !== null && (
        <Notice tone="bad" isNews>
          {problem}
        </Notice>
      )}
      <button type="submit" className="button button-main" disabled={close.isRunning}>
        {close.isRunning ? t.operations.closing : t.operations.closeSubmit}
      </button>
    </form>
  );
}
