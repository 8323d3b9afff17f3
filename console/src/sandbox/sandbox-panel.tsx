import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSession } from '../session/use-session.ts';
import { may } from '../session/viewer.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { FaultForm } from './fault-form.tsx';
import { SmsForm } from './sms-form.tsx';
import { type Steered, steer } from './steer.ts';
import { SupplierOrderForm } from './supplier-order-form.tsx';

export interface Steering {
  /** Does it and tells what came of it: `words` when it went well. */
  run(
    what: Parameters<typeof steer>[1],
    body: Readonly<Record<string, unknown>>,
    words: (answer: Readonly<Record<string, unknown>>) => string,
  ): void;
}

/** The other side of the wire, for trying things out. */
export function SandboxPanel({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useSpeech();
  const { key, viewer } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  const [told, setTold] = useState<{ readonly steered: Steered; readonly text: string } | null>(null);
  useEffect(() => heading.current?.focus(), []);

  const steering: Steering = {
    run(what, body, words) {
      setTold(null);
      void steer(key, what, body).then((steered) =>
        setTold({
          steered,
          text: steered.kind === 'done' ? words(steered.answer) : t.sandbox.failed(steered.message),
        }),
      );
    },
  };

  return (
    <aside className="sandbox" id="sandbox" aria-labelledby="sandbox-title">
      <header className="section-head">
        <h2 id="sandbox-title" ref={heading} tabIndex={-1}>
          {t.sandbox.title}
        </h2>
        <button type="button" className="icon-button" aria-label={t.common.close} onClick={onClose}>
          <Icon name="clear" />
        </button>
      </header>
      <p className="hint">{t.sandbox.lead}</p>
      {told !== null && (
        <Notice tone={told.steered.kind === 'done' ? 'good' : 'bad'} isNews>
          {told.text}
        </Notice>
      )}
      {may(viewer, 'BUYER') && <SmsForm steering={steering} />}
      {may(viewer, 'SUPPLIER') && <SupplierOrderForm steering={steering} />}
      <FaultForm steering={steering} />
    </aside>
  );
}
