import type { Candidate } from './candidates.ts';
import type { CueKind } from './cue-words.ts';
import type { Cue } from './cues.ts';
import { type Distance, SENTENCE } from './distance.ts';
import type { Shape } from './readings.ts';

/**
 * How far a word carries, in characters, to a number of each shape. The differences rank the kinds: "OTP 4821" outdoes
 * "code 4821", and both outdo "log in". Found by reading the corpus (test/corpus), like the other numbers here.
 */
const REACH: Readonly<Record<CueKind, Readonly<Record<Shape, number>>>> = {
  secret: { plain: 160, doubtful: 26, unlikely: 4 },
  code: { plain: 140, doubtful: 26, unlikely: 4 },
  warning: { plain: 100, doubtful: 0, unlikely: 0 },
  purpose: { plain: 60, doubtful: 12, unlikely: 0 },
  other: { plain: 0, doubtful: 0, unlikely: 0 },
  offer: { plain: 0, doubtful: 0, unlikely: 0 },
};

/** How far the lesser shapes are set back behind a plain number. */
const SET_BACK: Readonly<Record<Shape, number>> = { plain: 0, doubtful: 15, unlikely: 15 };

/** Numbers follow their names more often than they precede them. */
const BACKWARDS = 6;

/** Two codes this close in score, or two alike this close in the text, do not stand out. */
const MARGIN = 6;
const SIDE_BY_SIDE = 8;

interface Vote {
  readonly code: string;
  readonly score: number;
}

type Voter = (cue: Cue) => Vote | null;

/** The voters of one shape. To be asked with the cues in order: each goes on from where the last one stood. */
function voter(shape: Shape, all: readonly Candidate[], distance: Distance): Voter {
  const candidates = all.filter((candidate) => candidate.shape === shape);
  let after = 0;
  return ({ kind, start: from, end: to }) => {
    while (after < candidates.length && (candidates[after]?.start ?? 0) < to) after++;
    let best: Vote | null = null;
    for (const { code, start, end } of candidates.slice(Math.max(0, after - 1), after + 1)) {
      if (start < to && end > from) continue;
      const away = start >= to ? distance(to, start) : distance(end, from) + BACKWARDS;
      const score = REACH[kind].plain - away - SET_BACK[shape];
      if (away <= REACH[kind][shape] && score > (best?.score ?? 0)) best = { code, score };
    }
    return best;
  };
}

/**
 * Each cue votes for one candidate, the nearest; a code is worth its best vote. The best code, unless another comes
 * close to it or stands beside it as its equal.
 */
export function elect(
  cues: readonly Cue[],
  candidates: readonly Candidate[],
  distance: Distance,
): string | null {
  const voters = (['plain', 'doubtful', 'unlikely'] as const).map((shape) =>
    voter(shape, candidates, distance),
  );
  const scores = new Map<string, number>();
  for (const cue of cues) {
    const [vote] = voters.flatMap((ask) => ask(cue) ?? []).sort((a, b) => b.score - a.score);
    if (vote !== undefined) scores.set(vote.code, Math.max(vote.score, scores.get(vote.code) ?? 0));
  }
  const [best, second] = [...scores].sort(([, a], [, b]) => b - a);
  if (best === undefined) return null;
  const [code, score] = best;
  const contested = second !== undefined && score - second[1] < MARGIN;
  return contested || hasTwin(code, candidates, distance) ? null : code;
}

/** "Your backup codes: 48210394, 59127740", or "A7K9Q2, B8L4R3". */
function hasTwin(code: string, candidates: readonly Candidate[], distance: Distance): boolean {
  return candidates.some((one, at) => {
    const other = candidates[at + 1];
    if (other === undefined || one.code === other.code || one.code.length !== other.code.length) return false;
    const near = other.start - one.end <= SIDE_BY_SIDE && distance(one.end, other.start) < SENTENCE;
    return near && (one.code === code || other.code === code);
  });
}
