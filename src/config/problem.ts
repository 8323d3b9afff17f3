/** One thing that is wrong with the configuration. No secret's value ever stands in it. */
export type ConfigProblem = {
  /** The variable, as it is written. */
  readonly name: string;
  /** What is wrong, as the rest of a sentence that begins with the name. */
  readonly wrong: string;
  /** What to do, as a sentence. */
  readonly remedy: string;
};

/** A problem as one line for a person. */
export function problemLine({ name, wrong, remedy }: ConfigProblem): string {
  return `${name} ${wrong}. ${remedy}`;
}
