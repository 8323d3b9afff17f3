import { type Cue, endsInLink, isQuantityOrMasked } from './cues.ts';
import { type Distance, SENTENCE } from './distance.ts';
import type { Numeral } from './numerals.ts';
import type { Shape } from './readings.ts';

/** A numeral that could be the code. */
export type Candidate = Numeral & { readonly code: string };

/** How far the name of another number carries, in characters, */
const NAMED = 24;
/** and how far where the sentence has promised a code: of "OTP for your card is 482913" the card takes nothing. */
const NEXT_TO = 2;

/** What a number becomes when an unknown word before it seems to name it. */
const LESSER: Readonly<Record<Shape, Shape>> = {
  plain: 'doubtful',
  doubtful: 'unlikely',
  unlikely: 'unlikely',
};

/** The numerals that are not named as something else, and neither amounts nor parts of masked numbers. */
export function candidatesOf(
  text: string,
  numerals: readonly Numeral[],
  cues: readonly Cue[],
  distance: Distance,
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  let next = 0;
  for (const numeral of numerals) {
    // The cues since the number before this one: the last of them names it.
    const since: Cue[] = [];
    for (let cue = cues[next]; cue !== undefined && cue.start < numeral.start; cue = cues[++next])
      since.push(cue);
    const { start, end, code } = numeral;
    if (code === null || isNamed(start, since, distance) || isQuantityOrMasked(text, start, end)) continue;
    const shape = standsFree(text, start, since) ? numeral.shape : LESSER[numeral.shape];
    candidates.push({ start, end, code, shape });
  }
  return candidates;
}

function isNamed(start: number, since: readonly Cue[], distance: Distance): boolean {
  const name = since.at(-1);
  if (name?.kind !== 'other') return false;
  const promise = since.findLast(({ kind }) => kind === 'secret' || kind === 'code');
  const promised = promise !== undefined && distance(promise.end, name.start) < SENTENCE;
  return distance(name.end, start) <= (promised ? NEXT_TO : NAMED);
}

/** A cue this near before a number speaks of it: "code is 482913". */
const ADJACENT = 4;

/**
 * Whether no unknown word claims the number. In "meter reading 48213" one does; a number after a break, a colon, a
 * bracket, a cue or a word like "is" is free for a cue from further away.
 */
function standsFree(text: string, start: number, since: readonly Cue[]): boolean {
  const cue = since.at(-1);
  return (cue !== undefined && start - cue.end <= ADJACENT) || endsInLink(text, start);
}
