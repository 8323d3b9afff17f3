import { fold } from './fold.ts';

/** A word found in a text, up to `end`. */
export interface Found<Kind> {
  readonly kind: Kind;
  readonly end: number;
}

/** The longest word of a table that begins at a place of a `searchable` text, or null. */
export type Lexicon<Kind> = (text: string, at: number) => Found<Kind> | null;

/** The form in which words are compared: folded, in lower case, dashes as spaces. Places stay what they are. */
export const searchable = (folded: string): string => folded.toLowerCase().replaceAll('-', ' ');

interface Entry<Kind> {
  readonly kind: Kind;
  readonly word: string;
  readonly openBefore: boolean;
  readonly openAfter: boolean;
  /** Whether letters that follow are part of what was found. */
  readonly endings: boolean;
}

// They put no spaces between words, or glue endings on.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const NO_LETTERS = /^\P{L}+$/u;

function entryOf<Kind>(kind: Kind, written: string): Entry<Kind> {
  const word = searchable(fold(written.replaceAll('~', '')));
  const open = UNSPACED.test(word) || NO_LETTERS.test(word);
  const endings = written.endsWith('~');
  return { kind, word, openBefore: open || written.startsWith('~'), openAfter: open || endings, endings };
}

const isLetter = (character: string): boolean => /[\p{L}\p{M}]/u.test(character);

/**
 * Words by their first letter, the longest first: "ending in" before "ending", "promo code" before "code". Not one
 * pattern of all words: compiling such takes a tenth of a second, and again whenever the engine drops it.
 */
export function lexiconOf<Kind extends string>(
  table: Readonly<Record<Kind, readonly string[]>>,
): Lexicon<Kind> {
  const byFirst = new Map<string, Entry<Kind>[]>();
  for (const kind in table) {
    for (const written of table[kind].flatMap((line) => line.split('|'))) {
      const entry = entryOf(kind, written);
      const first = entry.word.charAt(0);
      byFirst.set(first, [...(byFirst.get(first) ?? []), entry]);
    }
  }
  for (const entries of byFirst.values()) entries.sort((a, b) => b.word.length - a.word.length);

  return (text, at) => {
    for (const { kind, word, openBefore, openAfter, endings } of byFirst.get(text.charAt(at)) ?? []) {
      if (!text.startsWith(word, at)) continue;
      let end = at + word.length;
      if (!openBefore && isLetter(text.charAt(at - 1))) continue;
      if (!openAfter && isLetter(text.charAt(end))) continue;
      while (endings && isLetter(text.charAt(end))) end++;
      return { kind, end };
    }
    return null;
  };
}
