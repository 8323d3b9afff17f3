import Database from 'better-sqlite3';
import type { BudgetEntryKind } from '../../src/domain/budget/budget.ts';

export interface BudgetRow {
  readonly caller: string;
  readonly spending_limit: number | null;
  readonly spent: number;
  readonly reserved: number;
}

export interface EntryRow {
  readonly caller: string;
  readonly order_id: number | null;
  readonly kind: BudgetEntryKind;
  readonly amount: number;
}

export interface AttemptRow {
  readonly id: string;
  readonly caller: string;
  readonly business_job_id: string;
  readonly endpoint: string;
  readonly body: string;
  readonly idempotency_key: string;
  readonly state: string;
  readonly quantity: number;
  readonly due_at: number | null;
}

export interface OrderRow {
  readonly id: number;
  readonly owner: string | null;
  readonly attempt_id: string | null;
  readonly status: string;
  readonly sms_revision: number;
}

export interface MessageRow {
  readonly order_id: number;
  readonly revision: number;
  readonly message: string;
  readonly source: 'WEBHOOK' | 'POLL';
  readonly received_at: number;
  readonly owner: string | null;
}

/** Looks into the database from beside: what is committed, whatever the instances say of it. */
export interface Inspector {
  /** What the others tell is of this moment, or of a later one. */
  look(): Promise<void>;
  budgets(): readonly BudgetRow[];
  entries(): readonly EntryRow[];
  attempts(): readonly AttemptRow[];
  attemptOf(key: string): AttemptRow | undefined;
  /** Records that the attempt of a key is being sent. */
  sendsRecorded(key: string): number;
  orders(): readonly OrderRow[];
  messages(): readonly MessageRow[];
  hasInInbox(dedupeKey: string): boolean;
  close(): void;
}

export function openInspector(file: string): Inspector {
  const database = new Database(file, { readonly: true });
  const budgets = database.prepare<[], BudgetRow>(
    'select caller, spending_limit, spent, reserved from budgets',
  );
  const entries = database.prepare<[], EntryRow>(
    'select caller, order_id, kind, amount from budget_entries order by id',
  );
  const columns = 'id, caller, business_job_id, endpoint, body, idempotency_key, state, quantity, due_at';
  const attempts = database.prepare<[], AttemptRow>(`select ${columns} from attempts`);
  const attemptOf = database.prepare<[string], AttemptRow>(
    `select ${columns} from attempts where idempotency_key = ?`,
  );
  const sends = database
    .prepare<[string], number>(
      `select count(*) from attempt_events join attempts on attempts.id = attempt_id where idempotency_key = ? and attempt_events.state = 'SENDING'`,
    )
    .pluck();
  const orders = database.prepare<[], OrderRow>(
    'select id, owner, attempt_id, status, sms_revision from orders',
  );
  const messages = database.prepare<[], MessageRow>(
    'select order_id, revision, message, source, received_at, owner from sms_revisions order by order_id, revision',
  );
  const inInbox = database.prepare<[string], unknown>('select 1 from inbox where dedupe_key = ?');
  return {
    // Each of them reads for itself.
    look: async () => undefined,
    budgets: () => budgets.all(),
    entries: () => entries.all(),
    attempts: () => attempts.all(),
    attemptOf: (key) => attemptOf.get(key),
    sendsRecorded: (key) => sends.get(key) ?? 0,
    orders: () => orders.all(),
    messages: () => messages.all(),
    hasInInbox: (key) => inInbox.get(key) !== undefined,
    close: () => database.close(),
  };
}
