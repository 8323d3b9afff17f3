import type { Catalog } from '../domain/catalog/catalog.ts';

/** Longer questions are seldom asked twice. */
const LONGEST_QUESTION = 4 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;
/** Questions whose like was asked lately, by their hash: an answer is kept from the second time on. */
const REMEMBERED = 4_096;

/**
 * Whole answers that say nothing but what the catalog does, to anybody who may read it; by the request's body, letter for
 * letter. Never anything of a caller's own.
 */
export interface CatalogAnswers {
  /** Null where it was not kept, or the catalog it was made of is no longer the one to be shown. */
  find(question: Buffer): Buffer | null;
  keep(question: Buffer, answer: string, catalog: Catalog): void;
}

/** `shown`: the catalog that is answered from now; null where it is to be read first. */
export function createCatalogAnswers(shown: () => Catalog | null): CatalogAnswers {
  const kept = new Map<number, { readonly question: Buffer; readonly answer: Buffer }>();
  const asked = new Int32Array(REMEMBERED);
  let basis: Catalog | null = null;
  let bytes = 0;

  const clear = (): void => {
    kept.clear();
    bytes = 0;
  };

  return {
    find(question) {
      if (basis === null || basis !== shown() || question.length > LONGEST_QUESTION) return null;
      const found = kept.get(hashOf(question));
      return found?.question.equals(question) === true ? found.answer : null;
    },
    keep(question, text, catalog) {
      if (catalog !== shown() || question.length > LONGEST_QUESTION) return;
      const hash = hashOf(question);
      const place = hash & (REMEMBERED - 1);
      if (asked[place] !== hash) {
        asked[place] = hash;
        return;
      }
      const answer = Buffer.from(text);
      const size = answer.length + question.length;
      // All at once: a note of each use would cost more than to make a few answers again.
      if (catalog !== basis || bytes + size > MOST_BYTES) clear();
      basis = catalog;
      bytes += size;
      // Copied: what came from the socket is a part of something larger.
      kept.set(hash, { question: Buffer.from(question), answer });
    },
  };
}

/** FNV-1a. Whoever makes two questions collide gets both of them made anew each time. */
function hashOf(bytes: Buffer): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash | 0;
}
