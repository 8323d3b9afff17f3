import { type FaultCase, proven } from './fault-case.ts';

const crash = 'test/crash/creates.ts';
const twoProcesses = 'test/crash/two-processes.ts';
const races = 'test/flows/orders/create-races.test.ts';
const create = 'test/flows/orders/create-order.test.ts';
const replay = 'test/flows/orders/replay-attempt.test.ts';
const paid = 'test/upstream/smscode/paid-reply.test.ts';
const take = 'test/conformance/attempts-take.ts';
const prepare = 'test/conformance/attempts-prepare.ts';
const settle = 'test/domain/orders/settle.test.ts';

/** A paid create, crash by crash. */
export const creates: readonly FaultCase[] = [
  proven('A1', 'Killed before the attempt is stored.', 'Nothing has left; the retry starts cleanly.', [
    crash,
    'killed before the attempt is stored: nothing has left, and the retry starts cleanly',
  ]),
  proven(
    'A2',
    'Killed once it is stored and about to be sent.',
    'Sent by the next start, with the same key and bytes; charged once.',
    [crash, 'killed at $point, it is sent again after the lease and charged once'],
  ),
  proven(
    'A3',
    'Killed after SENDING was committed, before a byte left.',
    'Replayed when the lease is over; charged once.',
    [crash, 'killed at $point, it is sent again after the lease and charged once'],
  ),
  proven(
    'A4',
    'Killed after the bytes left, before the answer.',
    'Replayed; the provider gives its saved result, and charges once.',
    [crash, 'killed after the bytes left and before the answer'],
  ),
  proven(
    'A5',
    'Killed after the answer was read, before it was kept.',
    'Replayed: the same result, one charge.',
    [crash, 'killed when the outcome is written down: the retry is told, and nothing is sent'],
  ),
  proven(
    'A6',
    'Killed after the outcome was kept, before the client heard it.',
    'The retry gets what was kept; nothing is sent.',
    [crash, 'killed when the outcome is written down: the retry is told, and nothing is sent'],
  ),
  proven(
    'A7',
    'A power cut behind the record of a send.',
    'The record is on the disk: each connection syncs fully, also after a write and a reopening.',
    [
      'test/crash/power-cuts.ts',
      'the record of a send is on the disk before a byte leaves, and a torn tail behind it does no harm',
    ],
    [
      'test/store/sqlite/connection.test.ts',
      'keeps its promises when new, after a write, and after each reopening',
    ],
  ),
  proven(
    'A8',
    'The lease ends while its send is still open.',
    'It outlasts a send, so it cannot; if it does, the late answer changes nothing and is kept as evidence.',
    ['test/domain/orders/admit-send.test.ts', 'holds a lease for longer than a send can take'],
    [races, 'changes nothing, and is kept as evidence'],
    [
      twoProcesses,
      'one stands still in mid-send for longer than its lease: the other takes over, and the late answer is evidence alone',
    ],
  ),
  proven(
    'A9',
    'The process stands still for a minute in mid-send.',
    'Its deadline is absolute and fires as it wakes; what it says then changes nothing.',
    [
      twoProcesses,
      'one sleeps past its deadline in mid-send: that fires as it wakes, and what it says then changes nothing',
    ],
  ),
  proven(
    'A10',
    'Two instances claim one due attempt.',
    'One gets it.',
    [take, 'lets exactly one of many askers have a due attempt, over two instances'],
    [twoProcesses, 'what is due is replayed by one of them, time and again'],
  ),
  proven(
    'A11',
    'The same job from many clients in one instant.',
    'One attempt, one request, one answer for all, and no error.',
    [races, '50 creates of one job by two instances send one request'],
    [
      twoProcesses,
      'forty clients ask both for the same job in the same instant: one request, one answer, no error',
    ],
  ),
  proven('A12', 'The same job with another request.', 'A conflict that names the fields; nothing is sent.', [
    create,
    'with another request is a conflict that names the fields, and changes nothing',
  ]),
  proven('A13', '5xx, then success.', 'The same key and bytes; one order; the history shows both.', [
    replay,
    'replays the stored bytes and key when they are due, until an answer comes',
  ]),
  proven(
    'A14',
    'The client goes away in the middle of its mutation.',
    'The work runs to its end, and its result is there later.',
    ['test/api/errors.test.ts', 'a mutation whose client goes away runs to its end'],
  ),
  proven(
    'A15',
    '409 REQUEST_IN_PROGRESS.',
    'Not known yet: replayed later under the same key.',
    [paid, 'a failure of the exact shape is told by status and code, whichever they are'],
    [settle, 'knows no other final answer, whatever status and code'],
  ),
  proven(
    'A16',
    '401 or 429 on a create.',
    'Not final: reconciled within bounds, as late as Retry-After asks and no later than its cap.',
    [settle, 'knows no other final answer, whatever status and code'],
    [settle, 'with a Retry-After that is %s'],
    [replay, 'sends nothing into a ban that outlasts the deadline'],
  ),
  proven('A17', 'A 422 with an unknown code, or its code under another status.', 'Not final.', [
    settle,
    'knows no other final answer, whatever status and code',
  ]),
  proven(
    'A18',
    'A success that is not of the contract: a key too many or few, an unknown status, a boolean id.',
    'Never resolved: reconciled, with the reason.',
    [paid, 'an order whose %s is %s'],
    [paid, 'an order without %s'],
  ),
  proven('A19', 'Orders and failures do not add up to the quantity.', 'Never resolved: reconciled.', [
    settle,
    'of %d asked for, %d made and %d failed do not add up',
  ]),
  proven('A20', 'Made, without a number.', 'Read exactly once more, then pending; never created again.', [
    create,
    'is read exactly once more; still none, and it is pending',
  ]),
  proven(
    'A21',
    'The 33rd send, or a deadline reached.',
    'A person’s to review: kept, listed and closed by an operator.',
    [replay, 'sends 32 times at most'],
    [replay, 'leaves an attempt to a person when its deadline has passed'],
    ['test/conformance/attempts-close.ts', 'closes only what is held for a person, and that once'],
  ),
  proven(
    'A22',
    'A review threshold in the past, or one that is no instant.',
    'Held for a person unsent; what is no instant is refused before anything is stored.',
    [prepare, 'holds one whose threshold is %d ms away for a person, unsent'],
    ['test/faults/text-inputs.test.ts', 'an instant past all times, in every place that takes one'],
  ),
  proven(
    'A23',
    'The clock steps by an hour between claim and outcome.',
    'By the store’s clock alone; no negative waits.',
    [take, 'stays sane when the clock steps back'],
    [settle, 'starts counting at the store’s time, wherever the attempt began'],
  ),
  proven('A24', 'A new version builds bodies otherwise.', 'What is replayed are the stored bytes.', [
    replay,
    'replays the stored bytes and key when they are due, until an answer comes',
  ]),
  proven(
    'A25',
    'The token is changed between two sends.',
    '401 is not final: with the new token the same key goes on.',
    [
      'test/faults/new-token.test.ts',
      'the token is changed between two sends: with the new one the same key goes on, and is charged once',
    ],
  ),
  proven(
    'A26',
    'The price moves between catalog and create.',
    'The bound is judged before the first send alone, and is sent along.',
    [
      'test/flows/orders/create-not-sent.test.ts',
      'is judged by its first send alone: a known job is not judged again',
    ],
  ),
];
