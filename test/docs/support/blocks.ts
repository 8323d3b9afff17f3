/** What the comment before a block says of it. */
export type Mark =
  /** Run, and kept in force for the further blocks of the page: variables and functions of a shell. */
  | { readonly kind: 'setup' }
  /** Run. `until`: it does not end by itself, and is ended once this was printed. `prints`: what it must print. */
  | { readonly kind: 'run'; readonly until: string | null; readonly prints: string | null }
  /** The JSON of the variables of the GraphQL block before it. */
  | { readonly kind: 'variables' }
  /** Another file's text, which has a test of its own. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'not-run'; readonly reason: string };

export interface Block {
  readonly language: string;
  readonly text: string;
  readonly mark: Mark | null;
  /** Where it begins, for the name of its test. */
  readonly line: number;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a page, in order. Throws where a mark cannot be read. */
export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(FENCE)].map(({ 1: language = '', 2: text = '', index }) => {
    const before = page.slice(0, index);
    const lines = before.split('\n');
    return { language, text, mark: markOf(lines.at(-2) ?? ''), line: lines.length };
  });
}

function markOf(line: string): Mark | null {
  const comment = /^<!-- (.+) -->$/.exec(line)?.[1];
  if (comment === undefined) return null;
  if (comment === 'run: setup') return { kind: 'setup' };
  if (comment === 'variables') return { kind: 'variables' };
  const file = /^file: (\S+)$/.exec(comment)?.[1];
  if (file !== undefined) return { kind: 'file', path: file };
  const reason = /^not run: (.+)$/.exec(comment)?.[1];
  if (reason !== undefined) return { kind: 'not-run', reason };
  const run = /^run(?:, (until|prints): (.+))?$/.exec(comment);
  if (run === null) throw new Error(`line not understood: ${line}`);
  const [, what, text = null] = run;
  return { kind: 'run', until: what === 'until' ? text : null, prints: what === 'prints' ? text : null };
}
