/** Beyond a sentence's end a word speaks of something else; a new line is a weaker border. In characters. */
export const SENTENCE = 60;
const LINE = 10;

/** How far apart two places of a text are, in characters, with what its breaks add. */
export type Distance = (from: number, to: number) => number;

/** Measures once, so that each question afterwards is one subtraction. */
export function distanceIn(text: string): Distance {
  const marks = new Uint32Array(text.length + 1);
  let mark = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const ends = '!?;。؟।'.includes(character) || (character === '.' && ' \n'.includes(text.charAt(at + 1)));
    mark += 1 + (ends ? SENTENCE : 0) + (character === '\n' ? LINE : 0);
    marks[at + 1] = mark;
  }
  return (from, to) => (marks[to] ?? mark) - (marks[from] ?? mark);
}
