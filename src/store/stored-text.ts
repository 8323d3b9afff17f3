/** A backslash (the escape's own mark), NUL, and halves of surrogate pairs, which `u` matches only where they stand alone. */
const NOT_STORABLE = /[\\\0\p{Surrogate}]/u;
const EACH_NOT_STORABLE = new RegExp(NOT_STORABLE, 'gu');
const EACH_ESCAPE = /\\u([0-9a-f]{4})/g;

/**
 * Text as every store keeps it: whatever came from upstream is given back as it came. SQLite would silently replace
 * half a surrogate pair, PostgreSQL refuses it and NUL; both would lose or spoil a message. Two texts are equal
 * exactly when their stored forms are, so that a stored column can be searched and unique.
 */
export function toStoredText(text: string): string {
  return NOT_STORABLE.test(text) ? text.replace(EACH_NOT_STORABLE, escaped) : text;
}

export function fromStoredText(stored: string): string {
  return stored.includes('\\') ? stored.replace(EACH_ESCAPE, unescaped) : stored;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function unescaped(_escape: string, code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
