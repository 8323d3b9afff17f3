import type { Instant } from './time.ts';

/** What an operator is told of without asking. One of a kind is told once, and again only after it had ended. */
export const alertKinds = [
  'LOW_BALANCE',
  'WEBHOOK_DISABLED',
  'WEBHOOK_FAILING',
  'WEBHOOK_ELSEWHERE',
  'ATTEMPT_IN_REVIEW',
] as const;
export type AlertKind = (typeof alertKinds)[number];

export interface Alert {
  readonly id: string;
  readonly kind: AlertKind;
  /** What it is about where there may be several of a kind: an attempt's id. Empty otherwise. */
  readonly subject: string;
  /** In words, for a person; holds no secret. */
  readonly message: string;
  readonly raisedAt: Instant;
  readonly tries: number;
}
