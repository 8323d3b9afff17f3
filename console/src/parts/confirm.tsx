import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

/**
 * A question in the place where it came up. It takes the focus, Escape says no, and whoever opened it gives the focus
 * back.
 */
export function Confirm({
  question,
  confirm,
  keep,
  isDanger = false,
  isBusy = false,
  onConfirm,
  onKeep,
}: {
  readonly question: ReactNode;
  /** Null: there is nothing to say yes to yet. */
  readonly confirm: string | null;
  readonly keep: string;
  readonly isDanger?: boolean;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
  readonly onKeep: () => void;
}): ReactNode {
  const id = useId();
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onKeep();
  };
  return (
    <div className="confirm" role="alertdialog" aria-labelledby={id} onKeyDown={onKeyDown}>
      <p id={id} aria-live="polite">
        {question}
      </p>
      <div className="button-row">
        {confirm !== null && (
          <button
            type="button"
            className={`button ${isDanger ? 'button-danger' : 'button-main'}`}
            disabled={isBusy}
            onClick={onConfirm}
          >
            {confirm}
          </button>
        )}
        <button type="button" className="button button-quiet" ref={no} onClick={onKeep}>
          {keep}
        </button>
      </div>
    </div>
  );
}
