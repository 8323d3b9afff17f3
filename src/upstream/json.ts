/**
 * A number that JavaScript would keep only roughly, or that is not written as an integer: 2^53+1, 1e400, 1.0, 1e2.
 * Kept as it was written, so that no schema of an integer ever takes it for one.
 */
export class InexactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue = null | boolean | number | string | InexactNumber | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export type ParsedJson =
  | { readonly kind: 'json'; readonly value: JsonValue }
  /** `why` names the fault and where it stands, and quotes nothing of the text. */
  | { readonly kind: 'not-json'; readonly why: string };

/** Deeper than any answer of an upstream, and far from where recursion would end the process. */
const DEEPEST = 64;

/**
 * Reads JSON (RFC 8259) as JSON.parse does, and refuses what JSON.parse mends in silence: bytes that are not UTF-8, a
 * byte order mark (unless `allowBom`), and equal keys, of which it keeps the last. Integers in the safe range become
 * numbers (-0 is 0), all others an `InexactNumber`. A key `__proto__` is a key like any other. Never throws.
 */
export function parseJson(bytes: Uint8Array, options: { readonly allowBom?: boolean } = {}): ParsedJson {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { kind: 'not-json', why: 'not UTF-8' };
  }
  const hasBom = text.charCodeAt(0) === 0xfeff;
  if (hasBom && options.allowBom !== true) return { kind: 'not-json', why: 'begins with a byte order mark' };
  try {
    return { kind: 'json', value: new Reader(text, hasBom ? 1 : 0).document() };
  } catch (error) {
    if (error instanceof NotJson) return { kind: 'not-json', why: error.message };
    throw error;
  }
}

/** Of a value that `parseJson` made. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !isJsonArray(value) &&
    // An object to JavaScript, and a number to everybody else.
    !(value instanceof InexactNumber)
  );
}

/** Of a value that `parseJson` made. */
export function isJsonArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

class NotJson extends Error {}

// Character codes. Past the end of the text charCodeAt gives NaN, which equals none of them.
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BLANK = 0x20;

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const FRACTION_AND_EXPONENT = /(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** Strings up to this length are looked up among those read before; longer ones seldom come twice. */
const LONGEST_SHARED = 64;
const SHARED_SLOTS = 1024;
/** Of a short text: making the slots of a long one would take longer than reading it. */
const SHORT_TEXT = 8 * 1024;
const FEW_SLOTS = 64;

/** One pass over the text by character codes: about twice the time of JSON.parse. */
class Reader {
  readonly #text: string;
  #at: number;
  /**
   * Keys and names come thousands of times in one catalog page. Found again by hash they cost neither a slice nor the
   * engine's own look-up of a new key.
   */
  readonly #shared: (string | undefined)[];

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start;
    this.#shared = new Array(text.length < SHORT_TEXT ? FEW_SLOTS : SHARED_SLOTS);
  }

  document(): JsonValue {
    const value = this.#value(0);
    this.#skipBlanks();
    if (this.#at !== this.#text.length) this.#fail('something after the value');
    return value;
  }

  #value(depth: number): JsonValue {
    const code = this.#skipBlanks();
    switch (code) {
      case QUOTE:
        return this.#string();
      case OPEN_OBJECT:
        return this.#object(depth + 1);
      case OPEN_LIST:
        return this.#list(depth + 1);
      case 0x74:
        return this.#word('true', true);
      case 0x66:
        return this.#word('false', false);
      case 0x6e:
        return this.#word('null', null);
      default:
        return this.#number(code);
    }
  }

  #object(depth: number): JsonObject {
    if (depth > DEEPEST) this.#fail('nested too deep');
    const object: Record<string, JsonValue> = {};
    this.#at++;
    if (this.#skipBlanks() === CLOSE_OBJECT) {
      this.#at++;
      return object;
    }
    let keys = 0;
    for (;;) {
      if (this.#skipBlanks() !== QUOTE) this.#fail('a key expected');
      const key = this.#string();
      if (this.#skipBlanks() !== COLON) this.#fail('a colon expected');
      this.#at++;
      const value = this.#value(depth);
      // Assigned plainly, this one key would change the object's prototype.
      if (key === '__proto__') Object.defineProperty(object, key, { ...ownKey, value });
      else object[key] = value;
      keys++;
      const next = this.#skipBlanks();
      this.#at++;
      if (next === CLOSE_OBJECT) break;
      if (next !== COMMA) this.#fail('a comma or a closing brace expected');
    }
    // Counted once at the end: cheaper than asking for each key whether it was there.
    if (Object.keys(object).length !== keys) this.#fail('equal keys in one object');
    return object;
  }

  #list(depth: number): readonly JsonValue[] {
    if (depth > DEEPEST) this.#fail('nested too deep');
    const list: JsonValue[] = [];
    this.#at++;
    if (this.#skipBlanks() === CLOSE_LIST) {
      this.#at++;
      return list;
    }
    for (;;) {
      list.push(this.#value(depth));
      const next = this.#skipBlanks();
      this.#at++;
      if (next === CLOSE_LIST) return list;
      if (next !== COMMA) this.#fail('a comma or a closing bracket expected');
    }
  }

  #word<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('a value expected');
    this.#at += word.length;
    return value;
  }

  #string(): string {
    const text = this.#text;
    const from = this.#at + 1;
    let at = from;
    let hash = 0;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) return this.#escapedString(from, at);
      // Negated, so that the end of the text (NaN) is caught as well.
      if (!(code >= BLANK)) this.#failIn('a string without its end, or with a control character', at);
      hash = (Math.imul(hash, 31) + code) | 0;
      at++;
    }
    this.#at = at + 1;
    const length = at - from;
    if (length > LONGEST_SHARED) return copyOf(text.slice(from, at));
    const slot = hash & (this.#shared.length - 1);
    const known = this.#shared[slot];
    if (known !== undefined && known.length === length) {
      let same = 0;
      while (same < length && known.charCodeAt(same) === text.charCodeAt(from + same)) same++;
      if (same === length) return known;
    }
    const fresh = copyOf(text.slice(from, at));
    this.#shared[slot] = fresh;
    return fresh;
  }

  /** The rest of a string whose first escape stands at `firstEscape`. */
  #escapedString(from: number, firstEscape: number): string {
    const text = this.#text;
    let read = '';
    let start = from;
    let at = firstEscape;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return copyOf(read + text.slice(start, at));
      }
      if (code === BACKSLASH) {
        read += text.slice(start, at);
        const letter = text.charAt(at + 1);
        const plain = ESCAPES[letter];
        if (plain !== undefined) {
          read += plain;
          at += 2;
        } else {
          const hex = text.slice(at + 2, at + 6);
          if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) this.#failIn('an unknown escape', at);
          read += String.fromCharCode(Number.parseInt(hex, 16));
          at += 6;
        }
        start = at;
      } else if (code >= BLANK) {
        at++;
      } else {
        this.#failIn('a string without its end, or with a control character', at);
      }
    }
  }

  #number(first: number): number | InexactNumber {
    const text = this.#text;
    const from = this.#at;
    let at = from;
    let code = first;
    if (code === MINUS) code = text.charCodeAt(++at);
    if (!(code >= ZERO && code <= NINE)) this.#fail('a value expected');
    const leadingZero = code === ZERO;
    const digits = at;
    let size = 0;
    while (code >= ZERO && code <= NINE) {
      size = size * 10 + (code - ZERO);
      code = text.charCodeAt(++at);
    }
    if (leadingZero && at > digits + 1) this.#fail('a number with a leading zero');
    this.#at = at;
    // Rounding sets in above 2^53 alone, so a sum that is safe is exact.
    if (code === POINT || code === 0x65 || code === 0x45 || !Number.isSafeInteger(size)) {
      return this.#inexact(from, at);
    }
    return first === MINUS && size !== 0 ? -size : size;
  }

  /** A number that begins at `from`, its integer part ending at `at`. */
  #inexact(from: number, at: number): InexactNumber {
    FRACTION_AND_EXPONENT.lastIndex = at;
    FRACTION_AND_EXPONENT.test(this.#text);
    this.#at = FRACTION_AND_EXPONENT.lastIndex;
    return new InexactNumber(this.#text.slice(from, this.#at));
  }

  /** The code of the next character that is no blank. */
  #skipBlanks(): number {
    let code = this.#text.charCodeAt(this.#at);
    if (code > BLANK) return code;
    while (code === BLANK || code === 0x0a || code === 0x0d || code === 0x09) {
      code = this.#text.charCodeAt(++this.#at);
    }
    return code;
  }

  #fail(why: string): never {
    return this.#failIn(why, this.#at);
  }

  #failIn(why: string, at: number): never {
    throw new NotJson(`${why}, at character ${at}`);
  }
}

/**
 * V8 keeps the whole text that a slice was cut from: one product's name would hold a page of the catalog in memory, one
 * message a list of ten thousand orders.
 */
function copyOf(slice: string): string {
  return ` ${slice}`.slice(1);
}

const ownKey = { enumerable: true, configurable: true, writable: true } as const;
