import type { ReactNode } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import type { Message } from './order-documents.ts';

/** The newest message with its code, and the earlier ones. Texts are shown as they are: never as HTML, no link made of them. */
export function Messages({
  messages,
  known,
  isOpen,
}: {
  readonly messages: readonly Message[];
  readonly known: number;
  /** A number is there, and something may come yet. */
  readonly isOpen: boolean;
}): ReactNode {
  const { t, format } = useSpeech();
  const [newest, ...earlier] = messages;
  if (newest === undefined) {
    return isOpen ? (
      <div className="waiting">
        <span className="lamp" aria-hidden="true" />
        <p>{t.order.waiting}</p>
      </div>
    ) : null;
  }
  return (
    <div className="messages">
      <MessageBox key={newest.revision} message={newest} isNew={newest.revision > known} />
      {earlier.length > 0 && (
        <details>
          <summary>{t.order.earlier(earlier.length, format.number(earlier.length))}</summary>
          {earlier.map((message) => (
            <MessageBox key={message.revision} message={message} isNew={false} />
          ))}
        </details>
      )}
    </div>
  );
}

function MessageBox({ message, isNew }: { readonly message: Message; readonly isNew: boolean }): ReactNode {
  const { t, format } = useSpeech();
  const code = message.suggestedCode ?? message.otpCode;
  return (
    <div className={`message ${isNew ? 'message-new' : ''}`} data-revision={message.revision}>
      {code === null ? (
        <p className="no-code">{t.order.noCode}</p>
      ) : (
        <CopyButton className="code" text={code} what={t.order.code} />
      )}
      <blockquote dir="auto">{message.message}</blockquote>
      <p className="hint">
        {t.order.receivedAt(format.time(message.receivedAt))}
        {message.source === 'POLL' && ` · ${t.order.byPoll}`}
      </p>
    </div>
  );
}
