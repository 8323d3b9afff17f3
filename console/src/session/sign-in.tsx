import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { askOnce } from '../graph/client.ts';
import { faultWords } from '../parts/fault-notice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { Brand } from '../shell/brand.tsx';
import { LanguageMenu } from '../shell/language-menu.tsx';
import { useSpeech } from '../texts/language-provider.tsx';
import type { Surroundings } from './surroundings.ts';
import { type Viewer, ViewerDocument } from './viewer.ts';

export function SignIn({
  surroundings,
  wasSignedOut,
  onSignedIn,
}: {
  readonly surroundings: Surroundings;
  /** The gateway ended the session, not the person. */
  readonly wasSignedOut: boolean;
  readonly onSignedIn: (key: string, viewer: Viewer, isKept: boolean) => void;
}): ReactNode {
  const { t } = useSpeech();
  const keepId = useId();
  const [key, setKey] = useState(surroundings.readyKey ?? '');
  const [isKept, setKept] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    document.title = `${t.signIn.title} · Switchboard`;
  }, [t]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const given = key.trim();
    if (given === '') return setProblem(t.signIn.empty);
    setChecking(true);
    const answer = await askOnce(given, ViewerDocument, {});
    setChecking(false);
    if (answer.kind === 'data') return onSignedIn(given, answer.data.viewer, isKept);
    const { fault } = answer;
    const isWrong = fault.kind === 'refused' && fault.code === 'UNAUTHENTICATED';
    setProblem(isWrong ? t.signIn.wrong : faultWords(fault, t));
  };

  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <Brand />
        <h1>{t.signIn.title}</h1>
        <p className="lead">{t.signIn.lead}</p>
        {wasSignedOut && (
          <Notice tone="warn" isNews>
            {t.signIn.signedOut}
          </Notice>
        )}
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Field label={t.signIn.key} error={problem}>
            {(control) => (
              <input
                {...control}
                type="password"
                className="mono"
                autoComplete="off"
                spellCheck={false}
                value={key}
                onChange={(event) => {
                  setKey(event.target.value);
                  setProblem(null);
                }}
              />
            )}
          </Field>
          {surroundings.readyKey !== null && <Notice tone="good">{t.signIn.sandbox}</Notice>}
          <div className="check">
            <input
              id={keepId}
              type="checkbox"
              checked={isKept}
              aria-describedby={`${keepId}-hint`}
              onChange={(event) => setKept(event.target.checked)}
            />
            <label htmlFor={keepId}>{t.signIn.keep}</label>
            <p className="hint" id={`${keepId}-hint`}>
              {t.signIn.keepHint}
            </p>
          </div>
          <button type="submit" className="button button-main button-wide" disabled={isChecking}>
            {isChecking ? t.signIn.checking : t.signIn.submit}
          </button>
        </form>
      </div>
      <LanguageMenu />
    </main>
  );
}
