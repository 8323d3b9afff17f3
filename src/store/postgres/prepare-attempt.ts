import { hasRoomFor } from '../../domain/budget/budget.ts';
import type { Attempt, Claim } from '../../domain/orders/attempt.ts';
import type { AttemptStore, Prepared, Taken } from '../../ports/store/attempts.ts';
import { beginAttempt, takeAttempt } from '../attempt-steps.ts';
import { BadRow } from '../bad-row.ts';
import { attemptFrom } from '../rows/attempt.ts';
import { attempts } from './attempt-tables.ts';
import { addAudit } from './audit.ts';
import type { Base } from './base.ts';
import { createLedger, lockedBudgets } from './ledger.ts';
import { select } from './statements.ts';
import { keep, leave } from './transaction.ts';
import { writeAttempt } from './write-attempt.ts';

const ACTS = { CREATE: 'CREATE_ORDER', REACTIVATE: 'REACTIVATE_ORDER' } as const;

const findOfJob = select(attempts, 'where caller = $1 and business_job_id = $2');
const findOfKey = select(attempts, 'where idempotency_key = $1');
const lockAttempt = select(attempts, 'where id = $1 for no key update');

/** The two ways in which an attempt is claimed for a send. */
export function createClaiming({ database }: Base): Pick<AttemptStore, 'prepare' | 'take'> {
  return {
    prepare: (draft, claimToken, by) =>
      database.write<Prepared>(async (tx) => {
        // The caller's budget first: whoever asks for the same job, or for the same money, waits here.
        const [budgets, [ofJob], [ofKey], now] = await Promise.all([
          lockedBudgets(tx, [draft.caller]),
          tx.rows(findOfJob, [draft.caller, draft.businessJobId]),
          tx.rows(findOfKey, [draft.idempotencyKey]),
          tx.now(),
        ]);
        if (ofJob !== undefined) {
          const attempt = attemptFrom(ofJob);
          const isOwn = tx.mayBeKept && attempt.id === draft.id;
          return leave(
            isOwn
              ? { kind: 'fresh', attempt, claim: claimOn(attempt, claimToken) }
              : { kind: 'known', attempt },
          );
        }
        if (ofKey !== undefined) return leave({ kind: 'key-taken' });
        const budget = budgets.get(draft.caller);
        if (budget === undefined) throw new BadRow('budgets', draft.caller);
        if (!hasRoomFor(budget, draft.reserve)) return leave({ kind: 'over-budget', budget });
        const step = beginAttempt(draft, now);
        const claim = claimOn(step.attempt, claimToken);
        const ledger = createLedger();
        writeAttempt(tx, ledger, null, step, claim?.token ?? null, null);
        addAudit(tx, by, ACTS[draft.request.kind], draft.id, now);
        ledger.write(tx, budgets, now);
        return keep(() => ({ kind: 'fresh', attempt: step.attempt, claim }));
      }),
    take: (id, claimToken) =>
      database.write<Taken>(async (tx) => {
        const [[row], now] = await Promise.all([tx.rows(lockAttempt, [id]), tx.now()]);
        if (row === undefined) throw new Error(`there is no attempt ${id}`);
        const attempt = attemptFrom(row);
        if (tx.mayBeKept && row.claimToken === claimToken) {
          const held = claimOn(attempt, claimToken);
          if (held !== null) return leave({ kind: 'claimed', attempt, claim: held });
        }
        const step = takeAttempt(attempt, now);
        if (step === null) return leave({ kind: 'not-sent', attempt });
        const claim = claimOn(step.attempt, claimToken);
        const ledger = createLedger();
        writeAttempt(tx, ledger, attempt, step, claim?.token ?? null, null);
        ledger.write(tx, new Map(), now);
        return keep(() =>
          claim === null
            ? { kind: 'not-sent', attempt: step.attempt }
            : { kind: 'claimed', attempt: step.attempt, claim },
        );
      }),
  };
}

/** Null for a step that led to a person's review: nobody is to send. */
function claimOn(attempt: Attempt, token: string): Claim | null {
  return attempt.state === 'SENDING' ? { attemptId: attempt.id, token, version: attempt.version } : null;
}
