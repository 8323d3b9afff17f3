/** One thing that `doctor` looked at. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly words: string;
}

export function ok(what: string, words: string): Finding {
  return { what, state: 'ok', words };
}

/** Worth knowing, and perhaps as it was meant. */
export function note(what: string, words: string): Finding {
  return { what, state: 'note', words };
}

export function wrong(what: string, words: string): Finding {
  return { what, state: 'wrong', words };
}
