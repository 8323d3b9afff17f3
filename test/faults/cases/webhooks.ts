import { type FaultCase, proven } from './fault-case.ts';

const route = 'test/api/webhook.test.ts';
const receive = 'test/flows/sms/receive-webhook.test.ts';
const inbox = 'test/flows/sms/work-inbox.test.ts';
const crash = 'test/crash/webhooks.ts';
const verify = 'test/upstream/smscode/webhook.test.ts';
const kept = 'test/conformance/inbox.ts';

export const webhooks: readonly FaultCase[] = [
  proven(
    'D1',
    'A delivery comes twice.',
    '200, one event.',
    [route, 'is 200, and so is its repeat, which is kept once'],
    [receive, 'delivered 50 times at once is stored once'],
  ),
  proven('D2', 'Revision 3, then 2.', '2 is kept as seen and not surfaced.', [
    inbox,
    'reordered on the way, and worked off in between: the older one is kept, and not surfaced',
  ]),
  proven(
    'D3',
    'Forged, missing, several, upper-case or odd signatures.',
    '401, nothing kept, no crash.',
    [route, 'a signature that is %s: 401, and nothing is kept'],
    [verify, '%s: not genuine'],
  ),
  proven(
    'D4',
    'A genuine delivery of months ago comes again.',
    'Nothing changes: its revision is not newer.',
    [
      'test/domain/orders/merge.test.ts',
      'that comes an hour late with what is known says nothing of the present',
    ],
    [receive, 'that comes again is a duplicate, also with another text or time'],
  ),
  proven(
    'D5',
    'A revision that is text, null, true, 1.5 or huge.',
    'Kept raw and not surfaced; the good event’s place stays free.',
    [receive, 'whose revision is %s does not take the place of the good one'],
    ['test/domain/sms/accept.test.ts', 'evidence of a message'],
  ),
  proven(
    'D6',
    'The accepted revision with another text.',
    'The first is kept, the conflict told.',
    [inbox, 'flags a revision that comes again with another text'],
    [kept, 'tells a conflicting text of an accepted revision'],
  ),
  proven(
    'D7',
    'A webhook of an order that nobody knows yet.',
    'Kept, and joined when the create is answered.',
    [inbox, 'is joined when the create is answered: its owner gets the message'],
  ),
  proven(
    'D8',
    'The database is busy or full.',
    '5xx, never 2xx.',
    [route, 'what cannot be stored is 503, so that it is sent again'],
    [
      'test/faults/full-disk.test.ts',
      'lets no paid request leave, answers no webhook 2xx, and is told by readyz',
    ],
  ),
  proven('D9', 'Killed between the insert and the answer.', 'What comes again is a duplicate.', [
    crash,
    'killed between the insert and the answer: what comes again is a duplicate',
  ]),
  proven('D10', 'Killed between inbox and effect.', 'Worked off at the next start, once.', [
    crash,
    'killed while it works them off at its start',
  ]),
  proven(
    'D11',
    'Compressed, chunked, with any content type, a mark of byte order or line breaks.',
    'The signature is over the bytes as received; the type does not matter.',
    [route, 'is taken as %j'],
    [route, '%s is 200'],
  ),
  proven(
    'D12',
    'A body of 10 MB, or a slow one.',
    '413 or 408, before all of it is held.',
    [route, '256 KiB are taken, one byte more is 413'],
    [route, 'a body that does not come to its end is 408'],
  ),
  proven(
    'D13',
    'Well signed, and no JSON.',
    '400, kept as rejected.',
    [route, 'well signed, but %s: 400'],
    [verify, 'D13: %s is rejected under its own hash'],
  ),
  proven('D14', 'The secret is being changed.', 'Each configured secret is good.', [
    verify,
    'is over the bytes as received, by any secret in force',
  ]),
  proven(
    'D15',
    'webhook.test.',
    '200, and acts on nothing.',
    [receive, 'of a test is stored by its bytes'],
    [inbox, 'settles what acts on nothing: %s'],
  ),
  proven(
    'D16',
    'A message after the end.',
    'Surfaced; the end stays.',
    [inbox, 'before its last message: the message is surfaced, and the end stays'],
    ['test/conformance/messages.ts', 'keeps a message of an order that has ended'],
  ),
  proven(
    'D17',
    'A webhook is lost for ever.',
    'Polling finds its message.',
    ['test/api/order.test.ts', 'with webhooks lost, polling finds the message'],
    [inbox, 'has the order read once more: the webhook of its last message may have been lost'],
  ),
  proven(
    'D18',
    'An event that fails each time.',
    'Ten tries, then a dead letter, listed and replayed by an operator; all others go on.',
    [inbox, 'is tried ten times, then dead-lettered; all others go on'],
    [
      'test/faults/audit-and-dead-letters.test.ts',
      'is given up on, listed without what it holds, and goes through once it is mended and replayed',
    ],
  ),
];
