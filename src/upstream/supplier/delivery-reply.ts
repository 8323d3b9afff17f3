import { type DeliveryReply, deliveryRejectionCodes } from '../../domain/supplier/delivery.ts';
import { isJsonArray, isJsonObject, parseJson } from '../json.ts';
import type { Failure, Verdict } from './verdict.ts';

const LONGEST_MESSAGE = 200;
/** No sentence is that long, but an echo of the request is; and every delivered line is looked for in it. */
const LONGEST_SENTENCE = 500;
const NO_MESSAGE = 'The supplier API refused the delivery.';

/** What one send of a delivery came to. `key` is the API key: like the lines, it must not come back in a message. */
export function deliveryReply(verdict: Verdict, body: string, key: string): DeliveryReply {
  switch (verdict.kind) {
    case 'success':
      return { kind: 'accepted' };
    case 'wait':
      return verdict;
    case 'failure':
      return refused(verdict, body, key);
    case 'malformed':
      return { kind: 'unclear', why: `an answer that cannot be understood (HTTP ${verdict.httpStatus})` };
    case 'server-error':
      return { kind: 'unclear', why: `HTTP ${verdict.httpStatus}` };
    case 'no-answer':
      return { kind: 'unclear', why: `no answer: ${verdict.why}` };
    case 'not-sent':
      return { kind: 'unclear', why: 'no place for the call came free in time; it was not sent' };
  }
}

function refused({ httpStatus, code, message }: Failure, body: string, key: string): DeliveryReply {
  const known = deliveryRejectionCodes.find((one) => one === code) ?? 'OTHER';
  // A code nobody knows is no clear refusal unless at least the status is one.
  if (known === 'OTHER' && httpStatus < 400) {
    return { kind: 'unclear', why: `a code that is not known (HTTP ${httpStatus})` };
  }
  return { kind: 'refused', code: known, message: presentable(message, body, key) ?? NO_MESSAGE };
}

/** The upstream's words, for people and logs. Null where they might hold what nobody else may see. */
function presentable(message: string | null, body: string, key: string): string | null {
  if (message === null || message.length > LONGEST_SENTENCE) return null;
  const secrets = linesOf(body);
  if (secrets === null) return null;
  // Lower case on both sides: the API folds the lines, and may quote them as it keeps them.
  const folded = message.toLowerCase();
  // Looked for before the cut, which would leave a part of a line that is not found.
  if ([key, ...secrets].some((secret) => folded.includes(secret.toLowerCase()))) return null;
  const text = message.replace(/\p{C}+/gu, ' ').trim();
  return text === '' ? null : [...text].slice(0, LONGEST_MESSAGE).join('');
}

/** The lines that a delivery's body carries; null where it cannot be told. */
function linesOf(body: string): readonly string[] | null {
  const parsed = parseJson(new TextEncoder().encode(body));
  const accounts =
    parsed.kind === 'json' && isJsonObject(parsed.value) ? parsed.value['accounts'] : undefined;
  if (!isJsonArray(accounts)) return null;
  return accounts
    .flatMap((element) => (typeof element === 'string' ? element.split('\n') : []))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
