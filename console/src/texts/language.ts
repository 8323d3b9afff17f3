import { keep, readKept } from '../storage.ts';
import { en, type Texts } from './en.ts';

export const languages = ['en', 'hi', 'bn'] as const;
export type Language = (typeof languages)[number];

const KEPT_AS = 'switchboard.language';

/** What each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', hi: 'हिन्दी', bn: 'বাংলা' };

/** Only the language that is shown is loaded; English is there already, for when another cannot be. */
export async function loadTexts(language: Language): Promise<Texts> {
  switch (language) {
    case 'en':
      return en;
    case 'hi':
      return (await import('./hi.ts')).hi;
    case 'bn':
      return (await import('./bn.ts')).bn;
  }
}

/** The one that the person chose here before; else the first of the browser's that there is. */
export function preferredLanguage(): Language {
  const wanted = [readKept('local', KEPT_AS) ?? '', ...navigator.languages];
  for (const tag of wanted) {
    const found = languages.find((language) => tag.toLowerCase().split('-')[0] === language);
    if (found !== undefined) return found;
  }
  return 'en';
}

/** How the reader's own part of the world writes dates and numbers, where the browser says which that is. */
export function localeOf(language: Language): string {
  return navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;
}

export function keepLanguage(language: Language): void {
  keep('local', KEPT_AS, language);
}
