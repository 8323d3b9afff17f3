import { type FaultCase, proven } from './fault-case.ts';

const cancel = 'test/flows/orders/cancel-order.test.ts';
const deliveries = 'test/conformance/supplier-deliveries.ts';
const pulls = 'test/crash/pulls.ts';
const supplierOrders = 'test/conformance/supplier-orders.ts';
const leases = 'test/faults/leases.test.ts';
const simulated = ['test/simulator/supplier/histories.test.ts', 'simulated histories of supplying'] as const;

/** Cancel, pull, lease and deliver. */
export const work: readonly FaultCase[] = [
  proven(
    'C1',
    'can_cancel is false, missing or no boolean.',
    'Skipped; ambiguous where it was not told. No POST.',
    [cancel, 'is skipped where it is not allowed'],
    [cancel, 'is ambiguous where the flag was not told: that is no yes'],
  ),
  proven('C2', 'The POST times out and a read says CANCELED.', 'Confirmed, without figures of a refund.', [
    cancel,
    'with an unclear end is confirmed by one read, without figures',
  ]),
  proven('C3', 'A receipt for another order or status.', 'Ambiguous, then one read.', [
    'test/upstream/smscode/action-reply.test.ts',
    '%s: of another order, of another shape, under another status',
  ]),
  proven(
    'C4',
    'A message comes between read and POST.',
    'As the provider decides; the message is delivered.',
    [cancel, 'still brings the message that came between read and POST'],
  ),
  proven(
    'C5',
    'Two cancels at once.',
    'One POST; both get its outcome.',
    [cancel, 'by %d, it is sent once, and all get the one receipt'],
    ['test/crash/two-processes.ts', 'both cancel one order: one request, and both are told the receipt'],
  ),
  proven(
    'C6',
    'The answer of a pull is lost.',
    'Its orders are found in the listing, and claimed.',
    [supplierOrders, 'claims an order found in processing that no claim was written down of'],
    [supplierOrders, 'leaves a found order to a pull that may hold it, until its time limit has passed'],
    simulated,
  ),
  proven(
    'C7',
    'Killed after a pull, before its claims are written down.',
    'The same.',
    [pulls, 'killed with the answer under way'],
    [
      pulls,
      'back before the pull counts as lost, it waits for its time, and takes nothing from one that is under way',
    ],
    simulated,
  ),
  proven(
    'C8',
    'The lease cannot be written.',
    'Told; the claim here decides who works on it, and the write is tried again.',
    [leases, 'that cannot be written is told, is nothing here, and gives the order to nobody else'],
    [leases, 'whose renewal fails is tried again a minute later'],
  ),
  proven(
    'C9',
    'A lease runs out while work goes on.',
    'Renewed after ten minutes; found by another, the order stays claimed.',
    [leases, 'is renewed when ten minutes are over, for as long as the work goes on'],
    [
      supplierOrders,
      'gives an order to one of a pull and a recovery that name it at once, over two instances',
    ],
    simulated,
  ),
  proven(
    'C10',
    'A delivery times out after it was stored upstream.',
    'The very same batch again; counted once here and there.',
    [deliveries, 'is sent again after an unclear end, by one that takes it'],
    [
      'test/upstream/supplier/sandbox.test.ts',
      'C10: a delivery whose answer is lost may be sent again by its owner, and nothing is stored twice',
    ],
    [
      'test/flows/supplier/expired-delivery.test.ts',
      'lines of an expired delivery that a list has counted are delivered already',
    ],
    simulated,
  ),
  proven(
    'C11',
    'Lines over the quantity, blank, with breaks inside, repeated in another case.',
    'Counted as the supplier counts; refused or warned of before the send; never silently called completed.',
    ['test/domain/supplier/plan.test.ts', 'it plans what is then stored, round by round'],
    ['test/domain/supplier/plan.test.ts', 'every line received is told of once'],
  ),
  proven(
    'C12',
    'Two deliveries on one order.',
    'One at a time.',
    [deliveries, 'has one pending on an order at a time'],
    [
      'test/upstream/supplier/sandbox.test.ts',
      'ORDER_DELIVERY_BUSY and CONCURRENCY_LIMIT, from somebody else under the same key',
    ],
    simulated,
  ),
  proven('C13', 'PAYMENT_NOT_COMPLETED, ACCESS_DENIED, INVALID_ACCOUNTS.', 'Final, typed and not repeated.', [
    'test/domain/supplier/delivery.test.ts',
    '%s is final',
  ]),
  proven(
    'C14',
    'Part of an order, a crash, the rest.',
    'Never over the quantity; completed at the end alone.',
    // Its rounds are those of one order, each behind the last.
    ['test/crash/crash.test.ts', 'a delivery'],
  ),
];
