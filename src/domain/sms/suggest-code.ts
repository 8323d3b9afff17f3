import { type Candidate, candidatesOf } from './candidates.ts';
import { findCues } from './cues.ts';
import { distanceIn } from './distance.ts';
import { fold } from './fold.ts';
import { withoutLinks } from './links.ts';
import { findNumerals, type Numeral } from './numerals.ts';
import { elect } from './votes.ts';

/**
 * The code as a person would read it out of an SMS and type it into the form that asked for it, or null where none
 * stands out: rather none than a wrong one. 3 to 12 characters of A-Z a-z 0-9, a dash within only between groups that
 * mix letters and digits ("K7QX-M2P9"). Digits come as ASCII whatever their script, as forms take these; groups of
 * digits come joined ("482 913" is 482913), and of "G-482913" or "QRT-482913" only the digits, as the form shows the
 * letters itself. Takes any string, lone surrogates included, in time linear in its length; never throws.
 *
 * Own code because of the libraries for it one (@onedaydevelopers/otp-detector) knows English words and ASCII digits only,
 * and the other (parse-otp-message) takes almost any number for a code, amounts and orders included.
 */
export function suggestCode(message: string): string | null {
  const folded = fold(message);
  const bound = originBound(folded);
  if (bound !== null) return bound;

  const text = withoutLinks(folded);
  const numerals = findNumerals(text);
  const cues = findCues(text);
  const distance = distanceIn(text);
  const candidates = candidatesOf(text, numerals, cues, distance);
  if (cues.length === 0) return bareCode(text, numerals, candidates);

  const offer = cues.some(({ kind }) => kind === 'offer');
  return elect(offer ? cues.filter(({ kind }) => kind === 'secret') : cues, candidates, distance);
}

/**
 * The line that browsers fill in from, "@example.com #482913" (WICG, origin-bound one-time codes): there the sender
 * itself says what the code is. Read by hand: a pattern for it is quadratic on "@a.a.a.a".
 */
function originBound(text: string): string | null {
  for (const line of text.split('\n')) {
    const [site = '', tag = ''] = line.split(' ');
    if (!site.startsWith('@') || !site.includes('.')) continue;
    const code = /^#([A-Za-z0-9]{3,12})$/.exec(tag)?.[1];
    if (code !== undefined && /\d/.test(code)) return code;
  }
  return null;
}

/** Letters a message may have beside a code that nothing in it names: "Chattr: 205-881". */
const BARE_LETTERS = 12;

function bareCode(
  text: string,
  numerals: readonly Numeral[],
  candidates: readonly Candidate[],
): string | null {
  const [only] = candidates;
  if (only === undefined || numerals.length !== 1 || numerals[0]?.shape !== 'plain') return null;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters === 0 || (letters <= BARE_LETTERS && only.code.length >= 5) ? only.code : null;
}
