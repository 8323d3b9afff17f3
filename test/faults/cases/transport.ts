import { type FaultCase, proven } from './fault-case.ts';

const faults = 'test/upstream/http-faults.test.ts';
const sockets = 'test/upstream/smscode/over-sockets.test.ts';
const json = 'test/upstream/json.test.ts';
const http = 'test/upstream/http.test.ts';
const supplier = 'test/upstream/supplier/replies.test.ts';
const pages = 'test/upstream/smscode/product-pages.test.ts';

/** The way to the upstreams. */
export const transport: readonly FaultCase[] = [
  proven(
    'B1',
    'Nobody there: refused, no such name, broken TLS.',
    'No answer, within the connect limit.',
    [faults, 'refused'],
    [faults, 'a name that nobody has'],
    [faults, 'TLS that is none'],
  ),
  proven(
    'B2',
    'One byte a second.',
    'Cut at the whole call’s deadline, the body included.',
    [faults, 'one byte after the other, %s'],
    [sockets, 'B2: a deadline given cuts a drip'],
  ),
  proven(
    'B3',
    'Half a body, by length or in chunks.',
    'Broken: ambiguous for a create.',
    [faults, '%s: broken'],
    [sockets, 'B3, B4: half an answer is ambiguous, however the connection ended'],
  ),
  proven(
    'B4',
    'Half a body on an answer that ends with its connection.',
    'It looks whole: what is in it decides.',
    [faults, 'on a connection-close answer it looks whole: what is in it decides'],
  ),
  proven(
    'B5',
    'An endless body, or a bomb of gzip.',
    'Cut at a limit on what is unpacked.',
    [faults, 'an endless body is cut, and its connection given up'],
    [faults, 'gzip is measured by what is in it: a bomb is cut at the limit'],
  ),
  proven(
    'B6',
    'Bad UTF-8, a mark of byte order, another charset, HTML under 200.',
    'Malformed.',
    [sockets, '%s: malformed'],
    [json, 'a byte order mark is refused unless it is allowed, and then only at the start'],
  ),
  proven(
    'B7',
    'A key twice.',
    'Refused: JSON.parse would take the last.',
    [json, '%s is refused'],
    [json, 'equal __proto__ keys are refused too'],
  ),
  proven(
    'B8',
    'Integers past 2^53, 1e400, 1.0, -0, text and booleans for numbers.',
    'Read without loss, then judged; text and booleans are no numbers.',
    [json, '%s is kept as written, and no schema takes it for an integer'],
    [sockets, 'B8, B9: %s is no create'],
  ),
  proven('B9', '__proto__ and constructor as keys.', 'No prototype changes; closed shapes refuse them.', [
    json,
    '__proto__ and constructor are keys like any other: no prototype changes, and closed shapes refuse them',
  ]),
  proven(
    'B10',
    'A reset on a connection used before.',
    'One send that may have arrived; never repeated in hiding.',
    [faults, '%s after it took the second request: broken, and never sent again'],
    [sockets, 'B10: a reset on a connection used before is one send, not two'],
  ),
  proven(
    'B11',
    'A redirect to another host.',
    'An answer like any other: neither key nor body goes there.',
    [http, '%i is an answer, and nobody else is asked'],
    [sockets, 'B11: a redirect takes neither key nor token elsewhere'],
  ),
  proven(
    'B12',
    'A silly Retry-After: 0, negative, a date, a year, twice.',
    'A positive integer up to a cap, else our own wait, never past the deadline.',
    [http, '%j means %j'],
  ),
  proven(
    'B13',
    'A silly retry_after_ms, or 429 for ever.',
    'Clamped; bounded; always the same request.',
    [supplier, 'B13: retry_after_ms %j means %i'],
    [supplier, 'B13: one that never ends is given up by %s within 12 s'],
  ),
  proven(
    'B14',
    'Pages that repeat, never end, or move.',
    'A bound, and each row once.',
    [pages, 'one that comes again ends the reading'],
    [pages, 'one without end is read to the bound of its %s, and the log says so'],
    [pages, 'a row that moved between two pages is there once, as it was read last'],
  ),
  proven(
    'B15',
    'An order not found just after its create.',
    'A short bounded wait, then a typed refusal.',
    ['test/domain/supplier/delivery.test.ts', 'an order that is not found and %s is looked for again: %s'],
    [
      'test/flows/supplier/young-order.test.ts',
      'is sent the very same request again, a second later, and gets its lines',
    ],
    [
      'test/flows/supplier/young-order.test.ts',
      'that stays unknown is refused as such within ten seconds and a little, and never sent again',
    ],
  ),
  proven('B16', 'The snapshot of another order.', 'None.', [
    sockets,
    'B16: another order’s snapshot is none',
  ]),
  proven(
    'B17',
    'Fifty users at once over several instances.',
    'Never more than two calls at the supplier, and updates 200 ms apart.',
    ['test/slow/supplier-limits.test.ts', 'are kept by 40 deliveries at once, while reads still get through'],
    ['test/slow/supplier-limits.test.ts', 'are kept by two instances that share their places'],
    [
      'test/crash/two-processes.ts',
      'deliveries of both on the same orders: each line once, and never more than two calls at once',
    ],
  ),
  proven(
    'B18',
    'An address of an upstream that is plain http, a file, of the cloud’s metadata, with a password.',
    'https alone, unless it is loopback; refused at the start.',
    ['test/config/addresses.test.ts', 'refuses %s'],
  ),
  proven(
    'B19',
    'An order’s id that leads elsewhere in a path.',
    'Judged before the address is built, and encoded.',
    ['test/faults/ids-in-paths.test.ts', 'whose id is %j is asked for nowhere'],
    ['test/faults/text-inputs.test.ts', 'a text that nobody should send, in every place that takes one'],
  ),
];
