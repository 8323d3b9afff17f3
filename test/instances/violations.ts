import type { Evidence, Followed, Message, UpstreamRequest } from './evidence.ts';

const FINAL = ['COMPLETED', 'CANCELED', 'EXPIRED', 'FAILED'];
/** The supplier API's own: two calls at once, so that one finds at most one beside it. */
const MOST_BESIDE = 1;
/** One that stood still between its turn and its call makes that call too soon after another's. */
const MOST_REFUSED = 0.05;

/** Everything in the evidence that breaks a promise, in words. */
export function violations(evidence: Evidence): string[] {
  return [
    ...ofJobs(evidence),
    ...ofMoney(evidence),
    ...ofRequests(evidence.requests),
    ...ofMessages(evidence),
    ...ofFollowers(evidence),
    ...ofSupplier(evidence),
  ];
}

function* ofJobs({ asked, attempts, orders, charges }: Evidence): Generator<string> {
  for (const { caller, job, quantity } of asked) {
    const own = attempts.filter((attempt) => attempt.caller === caller && attempt.job === job);
    const [attempt] = own;
    if (attempt === undefined || own.length > 1) {
      yield `${job} of ${caller} has ${own.length} attempts`;
      continue;
    }
    if (attempt.state !== 'RESOLVED') yield `${job} ends as ${attempt.state}`;
    const bought = charges.filter(({ key }) => key === attempt.key).map(({ orderId }) => orderId);
    const known = orders.filter(({ attemptId }) => attemptId === attempt.id).map(({ id }) => id);
    if (bought.length !== quantity) yield `${job} asked for ${quantity} and was charged for ${bought.length}`;
    if (!isAlike(bought, known)) yield `${job} has the orders ${known}, the provider has made ${bought}`;
  }
  const keys = new Set(attempts.map(({ key }) => key));
  for (const { key, orderId } of charges) {
    if (key === null || !keys.has(key)) yield `${orderId} was charged under ${key}, which no attempt has`;
  }
  for (const { id, status } of orders) if (!FINAL.includes(status)) yield `${id} ends as ${status}`;
}

function* ofMoney({ budgets, entries, charges, refunds }: Evidence): Generator<string> {
  for (const { caller, spent, reserved } of budgets) {
    const sum = (kind: string): number =>
      total(entries.filter((entry) => entry.caller === caller && entry.kind === kind));
    if (sum('SPENT') - sum('REFUNDED') !== spent) yield `the lines of ${caller} do not add up to ${spent}`;
    if (sum('RESERVED') !== sum('FREED')) yield `the reserves of ${caller} do not add up`;
    if (reserved !== 0) yield `${reserved} of ${caller} are still reserved`;
  }
  // Of money that came back there may be two lines: what was expected, and what the provider then said beyond it.
  const booked = (id: number, kind: string): number =>
    total(entries.filter((entry) => entry.orderId === id && entry.kind === kind));
  for (const { orderId, amount } of charges) {
    const back = total(refunds.filter((refund) => refund.orderId === orderId));
    const [spent, refunded] = [booked(orderId, 'SPENT'), booked(orderId, 'REFUNDED')];
    if (spent !== amount) yield `${orderId} cost ${amount}, booked is ${spent}`;
    if (refunded !== back) yield `${back} came back of ${orderId}, booked is ${refunded}`;
  }
}

function total(lines: readonly { readonly amount: number }[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

function* ofRequests(requests: readonly UpstreamRequest[]): Generator<string> {
  const calls = requests.filter(({ side }) => side === 'supplier');
  const refused = calls.filter(({ status }) => status === 429);
  if (refused.length > calls.length * MOST_REFUSED)
    yield `the supplier refused ${refused.length} of ${calls.length} calls`;
  const last = new Map<string, UpstreamRequest>();
  for (const request of requests.toSorted((a, b) => a.from - b.from)) {
    const { key, side } = request;
    if (side === 'supplier' && request.beside > MOST_BESIDE) {
      yield `${request.beside + 1} calls to the supplier were under way at once`;
    }
    if (key === null) continue;
    const before = last.get(key);
    if (before !== undefined && before.body !== request.body) yield `${key} left with two bodies`;
    if (before !== undefined && before.until > request.from) yield `two sends of ${key} overlap`;
    last.set(key, request);
  }
}

function* ofMessages({ sent, messages, orders, acknowledged, inbox }: Evidence): Generator<string> {
  for (const { id, revision } of orders) {
    const last = Math.max(-1, ...sent.filter(({ orderId }) => orderId === id).map((one) => one.revision));
    if (revision !== last) yield `the last message of ${id} is ${last}, accepted is ${revision}`;
  }
  for (const { orderId, revision, at } of acknowledged) {
    const what = `the webhook of ${orderId}:${revision}`;
    const kept = inbox.filter((row) => row.orderId === orderId && row.revision === revision);
    if (kept.length !== 1) yield `${what} is ${kept.length} times in the inbox`;
    if (kept.some(({ state }) => state !== 'SETTLED')) yield `${what} is not worked off`;
    const next = messages
      .filter((message) => message.orderId === orderId && message.revision >= revision)
      .toSorted((a, b) => a.revision - b.revision)[0];
    if (next === undefined) yield `${what} came to nothing`;
    // What was there before it was answered may rightly pass it over: it came too late.
    else if (next.revision !== revision && next.receivedAt > at) yield `${what} was passed over`;
  }
}

function* ofFollowers({ followed, messages, sent }: Evidence): Generator<string> {
  const texts = new Map(sent.map((one) => [placeOf(one), one.message]));
  for (const { of, items } of followed) {
    const who = of.kind === 'order' ? `a follower of ${of.id}` : `a follower of ${of.kind}`;
    const wanted = streamOf(of, messages).map(placeOf);
    const heard = items.map(placeOf);
    const at = wanted.findIndex((place, index) => heard[index] !== place);
    if (at >= 0) yield `${who} heard ${heard[at]} as its number ${at}, accepted was ${wanted[at]}`;
    else if (heard.length > wanted.length) yield `${who} heard ${heard.length - wanted.length} too many`;
    const garbled = items.find((item) => texts.get(placeOf(item)) !== item.message);
    if (garbled !== undefined) yield `${who} heard ${placeOf(garbled)} in other words`;
  }
}

function streamOf(of: Followed['of'], messages: readonly Message[]): Message[] {
  const bySequence = (key: 'sequence' | 'ownerSequence', from: readonly Message[]): Message[] =>
    from.filter((one) => one[key] !== null).toSorted((a, b) => Number(a[key]) - Number(b[key]));
  switch (of.kind) {
    case 'all':
      return bySequence('sequence', messages);
    case 'caller':
      return bySequence(
        'ownerSequence',
        messages.filter(({ owner }) => owner === of.name),
      );
    case 'order':
      return messages.filter(({ orderId }) => orderId === of.id).toSorted((a, b) => a.revision - b.revision);
  }
}

function* ofSupplier(evidence: Evidence): Generator<string> {
  const { claimed, supplierClaims, planned, deliveredLines, supplierOrders, claimsSeen } = evidence;
  if (new Set(supplierClaims).size !== supplierClaims.length) yield 'an order was claimed twice';
  if (!isAlike(supplierClaims, claimed)) {
    yield `claimed at the supplier are ${supplierClaims.length}, known are ${claimed.length}`;
  }
  for (const { orderId, lines } of planned) {
    const arrived = deliveredLines.filter((line) => line.orderId === orderId).map(({ line }) => line);
    if (!isAlike(arrived, lines)) yield `${orderId} was to get ${lines}, and got ${arrived}`;
  }
  for (const { id, status } of supplierOrders) if (status !== 'completed') yield `${id} ends as ${status}`;
  if (evidence.openDeliveries > 0) yield `${evidence.openDeliveries} deliveries are open`;
  for (const seen of claimsSeen) {
    if (String(seen) !== String(claimed)) yield `a follower saw ${seen.length} claims, or not in their order`;
  }
}

function placeOf({ orderId, revision }: { readonly orderId: number; readonly revision: number }): string {
  return `${orderId}:${revision}`;
}

function isAlike(some: readonly (string | number)[], others: readonly (string | number)[]): boolean {
  return String(some.toSorted()) === String(others.toSorted());
}
