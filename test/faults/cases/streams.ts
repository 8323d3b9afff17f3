import { type FaultCase, proven } from './fault-case.ts';

const follow = 'test/flows/follow/follow.test.ts';
const messages = 'test/flows/follow/follow-messages.test.ts';
const errors = 'test/api/errors.test.ts';
const stalled = 'test/server/stalled-clients.test.ts';
const socket = 'test/api/websocket.test.ts';
const auth = 'test/api/auth.test.ts';

export const streams: readonly FaultCase[] = [
  proven(
    'E1',
    'A revision comes between asking and reading.',
    'Once, in order.',
    [messages, 'accepted between asking and reading come once'],
    [follow, 'misses nothing that comes between its subscribing and its first reading'],
  ),
  proven(
    'E2',
    'The client comes back behind its last revision.',
    'What is newer, none missing.',
    ['test/api/order.test.ts', 'a client that comes back resumes behind its last revision'],
    [messages, 'are none left out and none twice, however often the client comes back'],
  ),
  proven(
    'E3',
    'afterRevision ahead of what is there, or nonsense.',
    'Waited for, or bad input.',
    [messages, 'ahead of what is there are waited for'],
    ['test/faults/text-inputs.test.ts', 'a number past its bounds, in every place that takes one'],
  ),
  proven(
    'E4',
    'The bus between instances is down, or loses messages.',
    'Found in the table within a bound.',
    [
      'test/wake/redis.test.ts',
      'go through the database while nobody has Redis, and through Redis again after it',
    ],
    [
      'test/conformance/database.ts',
      'notices within a quarter of a second what another instance has written',
    ],
  ),
  proven(
    'E5',
    'A client stops reading.',
    'No queue: its stream alone waits, and is cut off in the end.',
    [stalled, 'whose client reads nothing is cut off once its backlog has lasted, and another is not'],
    [stalled, 'whose client asks and does not read is not read until it does'],
    [stalled, 'is not read while a hundred of its operations are under way, nor cut off for its silence'],
    [errors, 'whose client does not read holds up nobody else'],
    [follow, 'reads nothing for a client that does not ask, however often it is woken'],
  ),
  proven('E6', '1,500 events in one turn.', 'All arrive.', [
    follow,
    'hands out all of 1,500 that come in one turn',
  ]),
  proven(
    'E7',
    'The client goes while its source waits.',
    'The source ends, and is counted out.',
    [errors, 'is ended at its source when its client goes away, over both transports'],
    ['test/api/edge.test.ts', 'streams asked for one behind the other on a connection all end with it'],
  ),
  proven(
    'E8',
    'The socket closes while a subscription is being opened.',
    'The source is ended all the same.',
    ['test/server/governed-stream.test.ts', 'its client gone, it ends at once, though the source does not'],
    [follow, 'that was never asked can be ended'],
  ),
  proven('E9', 'The source throws.', 'A coded last error; other streams live on.', [
    errors,
    'whose source throws ends with a masked error, and others go on',
  ]),
  proven('E10', 'One bad operation on a socket.', 'Its own error; the socket stays.', [
    socket,
    'what goes wrong in one operation is its own error',
  ]),
  proven(
    'E11',
    'The key is revoked or expires in mid-stream.',
    'Sockets close with 4403, SSE ends with a coded error, within five seconds.',
    [auth, 'a socket closes with 4403 when its key is revoked, and other sockets stay open'],
    [auth, 'a stream ends with a coded error when its key is revoked'],
    [auth, 'a stream ends when its key expires'],
  ),
  proven(
    'E12',
    'Thousands of subscriptions of one socket or key.',
    'Caps, told with a wait; nobody else feels it.',
    [socket, 'of streams, per socket and per key, refuse one operation and leave the rest'],
  ),
  proven(
    'E13',
    'No init, two of them, a wrong subprotocol, binary, a huge frame.',
    'The close code that fits.',
    [socket, 'nothing said for three seconds: 4408'],
    [socket, 'a second connection_init: 4429'],
    [socket, 'another subprotocol: 4406'],
    [socket, 'a binary message: 4400'],
    [socket, 'a message over a mebibyte: 1009'],
  ),
  proven(
    'E14',
    'A stop with open streams.',
    'Completed, or closed with 1001, in time.',
    [
      'test/api/operations.test.ts',
      'streams complete, sockets close with 1001, what is under way is answered, and it is soon over',
    ],
    [
      'test/slow/stop-under-load.test.ts',
      'ends in order within ten seconds; every job that anybody asked for is then found, and charged once',
    ],
  ),
  proven(
    'E15',
    'An idle stream behind a proxy.',
    'It says regularly that it lives.',
    [
      'test/slow/idle-stream.test.ts',
      'an idle stream of server-sent events says every dozen seconds that it lives, before a proxy drops it',
    ],
    [stalled, 'that answers no ping is cut off, and one that does stays'],
  ),
  proven(
    'E16',
    'The order ends.',
    'Its last event, then the stream completes.',
    ['test/api/order.test.ts', 'the stream of one order completes when the order has ended'],
    [messages, 'of an order that has ended are told once more, and no others are waited for'],
  ),
];
