/** Stands where a link stood, so that what was around it does not close up. */
const LINK = '\uFFFC';

// Android's app hash under a message: eleven characters of base64, of which some are no plain letters.
const APP_HASH = /^(?=.*[\d+/])(?=.*[A-Za-z])[A-Za-z0-9+/]{11}$/;
// "lumio.example/l/7fQ2" and "lumio.example", but neither "482913.Do not share" nor "A7K9Q2.Do not share".
const DOMAIN = /^(?!\d+\.)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:[a-z]{2,}|[A-Z]{2,})(?:[/?:#]|\.*$)/;

function isLink(piece: string): boolean {
  return piece.includes('://') || (piece.includes('@') && piece.includes('.')) || DOMAIN.test(piece);
}

function blank(chunk: string): string {
  if (APP_HASH.test(chunk)) return LINK;
  let kept = '';
  for (const piece of chunk.split(/([,;<>"'()[\]]+)/)) {
    // A link runs on to the next space, brackets and commas in it included.
    if (isLink(piece)) return kept + LINK;
    kept += piece;
  }
  return kept;
}

/** A folded message without web links, mail addresses and app hashes: the digits in them are nobody's code. */
export function withoutLinks(text: string): string {
  return text.replace(/[!-~]+/g, blank);
}
