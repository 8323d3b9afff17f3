import { CUE_WORDS, CURRENCIES_BEFORE, type CueKind, LINKING_WORDS, UNITS_AFTER } from './cue-words.ts';
import { type Lexicon, lexiconOf, searchable } from './lexicon.ts';

/** A cue word found in folded text, from `start` up to `end`. */
export interface Cue {
  readonly kind: CueKind;
  readonly start: number;
  readonly end: number;
}

const cueAt = lexiconOf(CUE_WORDS);
const currencyAt = lexiconOf({ currency: CURRENCIES_BEFORE });
const unitAt = lexiconOf({ unit: UNITS_AFTER });
const linkAt = lexiconOf({ link: LINKING_WORDS });

/** The cue words of a folded message, in order. */
export function findCues(folded: string): readonly Cue[] {
  const text = searchable(folded);
  const cues: Cue[] = [];
  for (let at = 0; at < text.length; ) {
    const found = cueAt(text, at);
    if (found !== null) cues.push({ kind: found.kind, start: at, end: found.end });
    at = found?.end ?? at + 1;
  }
  return cues;
}

/** How far around a number its surroundings are looked at: enough for the longest unit, little of a long message. */
const LOOK = 14;
const MASK_BEFORE = /(?:[*•·∙●]{2} |[*•·∙●+]|\.{2})$/;

const before = (text: string, start: number): string => text.slice(Math.max(0, start - LOOK), start);
const after = (text: string, end: number): string => text.slice(end, end + LOOK);

function endsWithWord<Kind>(wordAt: Lexicon<Kind>, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (wordAt(text, at)?.end === text.length) return true;
  return false;
}

/** Whether the text right around a number makes it an amount, a quantity, a phone number or the rest of a masked one. */
export function isQuantityOrMasked(text: string, start: number, end: number): boolean {
  const left = before(text, start);
  const right = after(text, end);
  const masked = right.startsWith('*') || MASK_BEFORE.test(left);
  const emphasised = right.startsWith('*') && left.endsWith('*');
  return (masked && !emphasised) || followsCurrency(left) || precedesUnit(right);
}

const followsCurrency = (left: string): boolean =>
  endsWithWord(currencyAt, searchable(left).replace(/\.? ?$/, ''));

function precedesUnit(right: string): boolean {
  const text = searchable(right);
  const unit = unitAt(text, text.startsWith(' ') ? 1 : 0);
  // "482913 Rs 500": a currency with a number of its own behind it says nothing of the one before.
  return unit !== null && !/^\.? ?\d/.test(text.slice(unit.end));
}

/** Whether what stands right before a number is a break, a mark, or a word that leads to a number without naming it. */
export function endsInLink(text: string, start: number): boolean {
  const left = before(text, start).replace(/ ?["'«»“”„‘’([{<*#]*$/, '');
  return !/[\p{L}\p{M}\p{N} ]$/u.test(left) || endsWithWord(linkAt, searchable(left));
}
