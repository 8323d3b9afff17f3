import type { BudgetEntryKind } from '../../src/domain/budget/budget.ts';
import { isTerminal, orderStatuses } from '../../src/domain/orders/order.ts';
import { SANDBOX_SECRET, SANDBOX_TOKEN } from '../support/sandbox-names.ts';
import type { MessageRow } from './inspector.ts';
import { callers, type Simulation } from './simulation.ts';
import type { Truth } from './truth.ts';

const FINAL = ['RESOLVED', 'DEFINITIVE_REJECTION', 'INSUFFICIENT_BALANCE', 'OPERATOR_REVIEW', 'CLOSED'];

/** No client waits, and no attempt is open. */
export function isAtRest({ inspector, waiting }: Simulation): boolean {
  return waiting() === 0 && inspector.attempts().every(({ state }) => FINAL.includes(state));
}

/** An attempt was left to a person while the provider may still have been at work on it. */
export function hasReviews({ inspector }: Simulation): boolean {
  return inspector.attempts().some(({ state }) => state === 'OPERATOR_REVIEW');
}

/** Every order that was made is known to have ended, with its last message. */
export function hasAllEnded({ inspector, sandbox, truth }: Simulation): boolean {
  const known = new Map(inspector.orders().map((order) => [order.id, order]));
  return sandbox.ledger().charges.every(({ order_id: id }) => {
    const order = known.get(id);
    return order !== undefined && isEnd(order.status) && order.sms_revision >= lastOf(truth, id);
  });
}

function isEnd(status: string): boolean {
  return orderStatuses.some((known) => known === status && isTerminal(known));
}

/** The revision of the last message that was sent; -1: none was. */
function lastOf({ messages }: Truth, id: number): number {
  return Math.max(-1, ...(messages.get(id)?.keys() ?? []));
}

/** L1: with nothing going wrong any more, no attempt is left open for longer than lease, backoff and looking take. */
export function checkLiveness({ inspector, violate }: Simulation): void {
  for (const { business_job_id: name, caller, state } of inspector.attempts()) {
    if (!FINAL.includes(state)) violate(`L1: ${name} of ${caller} is still ${state}`);
  }
}

/** What must hold when everything has come to its end. */
export function checkEnd(simulation: Simulation): void {
  checkAttempts(simulation);
  checkMoney(simulation);
  checkMessages(simulation);
  checkInbox(simulation);
  checkLogs(simulation);
}

/** I5, and that what an attempt says it has bought is what was bought under its key. */
function checkAttempts({ inspector, sandbox, violate }: Simulation): void {
  const { charges } = sandbox.ledger();
  const orders = inspector.orders();
  const keys = new Set<string>();
  for (const { id, business_job_id: name, state, idempotency_key: key, quantity } of inspector.attempts()) {
    keys.add(key);
    const bought = charges
      .filter((charge) => charge.idempotency_key === key)
      .map((charge) => charge.order_id);
    const known = orders.filter((order) => order.attempt_id === id).map((order) => order.id);
    if (!FINAL.includes(state) || state === 'OPERATOR_REVIEW') violate(`I5: ${name} ends as ${state}`);
    if (bought.length > quantity)
      violate(`I1: ${name} asked for ${quantity} and was charged for ${bought.length}`);
    if (String(bought.sort()) !== String(known.sort())) {
      violate(`${name} (${state}) has the orders ${known}, the provider has made ${bought}`);
    }
  }
  for (const { idempotency_key: key, order_id: id } of charges) {
    if (key === null || !keys.has(key))
      violate(`the order ${id} was made under ${key}, which no attempt has`);
  }
}

/** The books: lines that add up to the rows, and money in the provider's ledger that is booked as it moved. */
function checkMoney({ inspector, sandbox, violate }: Simulation): void {
  const entries = inspector.entries();
  for (const { caller, spent, reserved } of inspector.budgets()) {
    const sum = (kind: BudgetEntryKind): number =>
      entries
        .filter((entry) => entry.caller === caller && entry.kind === kind)
        .reduce((total, { amount }) => total + amount, 0);
    if (sum('SPENT') - sum('REFUNDED') !== spent)
      violate(`budget: the lines of ${caller} do not add up to ${spent}`);
    if (sum('RESERVED') - sum('FREED') !== reserved)
      violate(`budget: the reserves of ${caller} do not add up`);
    if (reserved !== 0) violate(`budget: ${reserved} of ${caller} are still reserved`);
  }
  const { charges, refunds } = sandbox.ledger();
  const booked = (id: number, kind: BudgetEntryKind): number | null =>
    entries.find((entry) => entry.order_id === id && entry.kind === kind)?.amount ?? null;
  for (const { order_id: id, amount } of charges) {
    if (booked(id, 'SPENT') !== amount)
      violate(`money: ${id} cost ${amount}, booked is ${booked(id, 'SPENT')}`);
    const refund = refunds.find((one) => one.order_id === id)?.amount ?? null;
    if (booked(id, 'REFUNDED') !== refund) {
      violate(`money: ${refund} came back of ${id}, booked is ${booked(id, 'REFUNDED')}`);
    }
  }
}

/** Every accepted message is one that was sent, and of every order the last one was accepted. */
function checkMessages(simulation: Simulation): void {
  const { inspector, truth, violate } = simulation;
  const accepted = inspector.messages();
  for (const [message, answeredAt] of truth.owed) checkOwed(simulation, accepted, message, answeredAt);
  for (const { order_id: id, revision, message } of accepted) {
    if (truth.messages.get(id)?.get(revision) !== message)
      violate(`message ${revision} of ${id} was never sent`);
  }
  for (const { id, owner, status, sms_revision: revision } of inspector.orders()) {
    const last = lastOf(truth, id);
    if (revision !== last && !truth.excused.has(id)) {
      violate(`I4: the last message of ${id} is ${last}, accepted is ${revision}`);
    }
    const own = accepted.filter((message) => message.order_id === id);
    if (Math.max(-1, ...own.map((message) => message.revision)) !== (own.length === 0 ? -1 : revision)) {
      violate(`I4: the order ${id} says ${revision}, its messages end otherwise`);
    }
    if (owner !== null && own.some((message) => message.owner !== owner)) {
      violate(`I4: a message of ${id} does not belong to ${owner}`);
    }
    if (!orderStatuses.some((known) => known === status && isTerminal(known)))
      violate(`${id} ends as ${status}`);
  }
}

/** Promise 2: what was answered 2xx is passed over for nothing that came later, and for no poll. */
function checkOwed(
  { violate }: Simulation,
  accepted: readonly MessageRow[],
  message: string,
  answeredAt: number,
): void {
  const [order, revision] = message.split(':').map(Number);
  const newer = accepted.find((one) => one.order_id === order && one.revision >= Number(revision));
  if (newer === undefined) violate(`I4: the webhook of ${message} came to nothing`);
  else if (newer.revision !== revision && (newer.source === 'POLL' || newer.received_at > answeredAt)) {
    violate(`I4: the webhook of ${message} was passed over`);
  }
}

/** I7. */
function checkInbox({ truth, inspector, violate }: Simulation): void {
  for (const key of truth.acknowledged) {
    if (!inspector.hasInInbox(key)) violate(`I7: ${key} was answered 2xx and is not in the inbox`);
  }
}

/** I9. Numbers of phones begin with a plus sign and are of eight digits at least. */
function checkLogs({ everyone, violate }: Simulation): void {
  const secret = new RegExp(`canary|${SANDBOX_TOKEN}|${SANDBOX_SECRET}|\\+\\d{8}`);
  for (const { name, lines } of everyone) {
    for (const { message, fields, error } of lines) {
      const text = `${message} ${JSON.stringify(fields)} ${error instanceof Error ? error.stack : ''}`;
      const found = secret.exec(text);
      if (found !== null) violate(`I9: ${name} has logged ${found[0]}: ${message}`);
    }
  }
}

/** I4: each caller's followers have got every accepted message once, in the order of its acceptance. */
export async function checkFollowers(
  { pick, clock, violate }: Simulation,
  received: ReadonlyMap<string, readonly { readonly orderId: number; readonly revision: number }[]>,
): Promise<void> {
  const instance = pick();
  if (instance === null) throw new Error('no instance lives at the end');
  for (const caller of callers) {
    const scope = { kind: 'own', caller } as const;
    const all = await clock.until(instance.deps.store.orders.messagesAfter(scope, 0, 10_000));
    const words = (list: readonly { readonly orderId: number; readonly revision: number }[]): string =>
      list.map(({ orderId, revision }) => `${orderId}:${revision}`).join(' ');
    const told = words(received.get(caller) ?? []);
    if (told !== words(all)) violate(`I4: ${caller} was told ${told}, accepted were ${words(all)}`);
  }
}
