import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { en, type Texts } from './en.ts';
import { createFormat, type Format } from './format.ts';
import { keepLanguage, type Language, loadTexts, preferredLanguage } from './language.ts';

interface Speech {
  readonly language: Language;
  readonly t: Texts;
  readonly format: Format;
  choose(language: Language): void;
}

const SpeechContext = createContext<Speech | null>(null);

/** The texts `t` and the `format` of the language that is shown. */
export function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (speech === null) throw new Error('texts stand inside of LanguageProvider');
  return speech;
}

export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [wanted, setWanted] = useState(preferredLanguage);
  const [shown, setShown] = useState<{ language: Language; t: Texts } | null>(
    wanted === 'en' ? { language: 'en', t: en } : null,
  );

  useEffect(() => {
    let isWanted = true;
    loadTexts(wanted).then(
      (t) => isWanted && setShown({ language: wanted, t }),
      // Its texts cannot be had now, say because a new version was installed: any language is better than none.
      () => isWanted && setShown((before) => before ?? { language: 'en', t: en }),
    );
    return () => {
      isWanted = false;
    };
  }, [wanted]);

  useEffect(() => {
    if (shown !== null) document.documentElement.lang = shown.language;
  }, [shown]);

  const speech = useMemo(
    (): Speech | null =>
      shown && {
        ...shown,
        format: createFormat(shown.language),
        choose(language) {
          keepLanguage(language);
          setWanted(language);
        },
      },
    [shown],
  );
  return speech === null ? null : <SpeechContext value={speech}>{children}</SpeechContext>;
}
