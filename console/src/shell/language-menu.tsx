import { type ReactNode, useId } from 'react';
import { languageNames, languages } from '../texts/language.ts';
import { useSpeech } from '../texts/language-provider.tsx';

export function LanguageMenu(): ReactNode {
  const { t, language, choose } = useSpeech();
  const id = useId();
  return (
    <div className="language">
      <label className="unseen" htmlFor={id}>
        {t.shell.language}
      </label>
      <select
        id={id}
        value={language}
        onChange={(event) => {
          const chosen = languages.find((known) => known === event.target.value);
          if (chosen !== undefined) choose(chosen);
        }}
      >
        {languages.map((known) => (
          <option key={known} value={known} lang={known}>
            {languageNames[known]}
          </option>
        ))}
      </select>
    </div>
  );
}
