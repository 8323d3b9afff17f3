import { type FaultCase, proven, struck } from './fault-case.ts';

const documents = 'test/api/documents.test.ts';
const edge = 'test/api/edge.test.ts';
const auth = 'test/api/auth.test.ts';
const socket = 'test/api/websocket.test.ts';
const cop = 'test/faults/graphql-cop.test.ts';
const others = 'test/faults/other-callers.test.ts';
const texts = 'test/faults/text-inputs.test.ts';
const canary = 'test/faults/canary.test.ts';
const route = 'test/api/webhook.test.ts';
const receive = 'test/flows/sms/receive-webhook.test.ts';
const connection = 'test/store/sqlite/connection.test.ts';

/** Abuse and security. */
export const abuse: readonly FaultCase[] = [
  proven(
    'G1',
    'Depth, aliases, repeated fields, directives, fragments that double or circle.',
    'Refused before execution, with a code, on every transport.',
    [documents, 'is QUERY_TOO_COMPLEX over HTTP (400, whatever is accepted), SSE and WebSocket'],
    [documents, 'a fragment cycle is refused as invalid, and ends'],
    [cop, 'alias overloading: 101 aliases'],
  ),
  proven(
    'G2',
    'Introspection, guesses at names and GraphiQL in production.',
    'Off.',
    [cop, 'introspection'],
    [cop, 'field suggestions'],
    [cop, 'a GraphiQL or playground'],
    [documents, 'the name of %s is not guessed'],
  ),
  proven('G3', 'A batch of operations in one request.', '400.', [
    cop,
    'array-based query batching: ten queries in one request',
  ]),
  proven(
    'G4',
    'Many charges, or guesses, in one document.',
    'One mutation that charges in a document, also by alias and fragment, and on every transport.',
    [documents, 'is QUERY_TOO_COMPLEX over HTTP (400, whatever is accepted), SSE and WebSocket'],
    [documents, 'nothing was ordered by any of them'],
  ),
  proven(
    'G5',
    'A mutation by GET, as a form, multipart, plain text, or without a type.',
    'Refused.',
    [edge, '%s is refused'],
    [edge, 'mutations by GET are refused, queries are not'],
    [cop, 'a query, and a mutation, as a form'],
  ),
  proven(
    'G6',
    'A foreign Origin, over HTTP and WebSocket.',
    'No header lets it read; no socket is opened.',
    [edge, 'a listed origin may ask and read'],
    [socket, 'a page of %s may not'],
  ),
  proven(
    'G7',
    'Another caller’s order by id, job, number, cursor or key.',
    'As if it did not exist, in the same time.',
    [others, '%s, over HTTP and WebSocket'],
    [others, '%s, over WebSocket and SSE'],
    [others, 'so is a job: %s'],
    [others, 'takes about as long to be denied as one that is not there'],
    [others, 'every field that takes an id, a job, a cursor, a key or a name was attacked'],
  ),
  proven(
    'G8',
    'A key of a lower scope.',
    'FORBIDDEN before any look-up.',
    ['test/schema/scopes.test.ts', '$operation $name is FORBIDDEN without its scope, before any look-up'],
    [others, 'naming the other caller takes an operator'],
  ),
  proven(
    'G9',
    'No key, a bad, revoked or expired one, everywhere; documents that are not trusted.',
    '401 or 4403, never data; trusted documents are enforced on every transport.',
    [auth, '401 for %s'],
    [auth, '4403 for %s'],
    ['test/api/operations.test.ts', 'open to other machines, metrics take the key of an OPERATOR'],
    ['test/faults/trusted-documents.test.ts', 'nothing else is, over WebSocket and SSE'],
  ),
  proven(
    'G10',
    'Guessing keys by time, long or odd keys, two headers.',
    'Looked up by hash; what no key looks like never reaches the store.',
    [
      'test/server/auth.test.ts',
      'that no key of ours can look like never reaches the store; a forged one is never kept',
    ],
    [auth, '401 for %s'],
  ),
  proven(
    'G11',
    'Secrets in logs, errors, metrics and close reasons.',
    'In none, at any level, whatever goes wrong.',
    [canary, 'a whole day of the program, with everything that goes wrong'],
    [canary, 'the database holds none of it either'],
    ['test/faults/canary-bites.test.ts', 'a secret that is put there on purpose is found'],
  ),
  proven(
    'G12',
    'Huge bodies, lying lengths, chunks without end, slow headers.',
    '413, 408 or 431; limits far below Node’s own.',
    [edge, '256 KiB for most keys, 16 MiB for those that deliver files of lines'],
    [edge, 'a chunked body is counted as it comes'],
    [edge, 'headers over the limit are 431, nonsense is 400, both hang up'],
  ),
  proven(
    'G13',
    '__proto__ and constructor in variables.',
    'Refused or ignored; prototypes stay clean.',
    [edge, 'keys that touch prototypes change nothing'],
    [texts, 'nothing of it was a bug, ended the process or changed a prototype'],
  ),
  proven(
    'G14',
    'NUL, halves of pairs, bidirectional and control signs, long texts, line breaks for headers.',
    'Refused where they could do harm; none is a bug.',
    [texts, 'a text that nobody should send, in every place that takes one'],
    [texts, 'the address of a webhook holds no line break and no half of a character'],
  ),
  proven('G15', 'Texts that patterns stumble over.', 'Read in time linear in their length.', [
    'test/faults/linear.test.ts',
    'no text takes longer than its length',
  ]),
  proven(
    'G16',
    'Forged cursors, and those of another list or caller.',
    'BAD_USER_INPUT.',
    [others, 'of another caller, of another list, of another filter, and forged ones are refused'],
    [
      'test/schema/cursors.test.ts',
      'does not open once any character of it was changed, added or taken away',
    ],
  ),
  proven(
    'G17',
    'first: 1e9, -1, first with last.',
    'Bad input, named.',
    [documents, 'a page past its bounds is bad input, and no matter of cost'],
    [texts, 'first and last at once are refused: no list goes backwards'],
  ),
  proven(
    'G18',
    'SQL and wildcards in filters.',
    'Parameters alone; no filter is a pattern.',
    [texts, 'a text that nobody should send, in every place that takes one'],
    ['test/conformance/order-pages.ts', 'filters by the exact phone number'],
  ),
  proven(
    'G19',
    'A made-up Host and X-Forwarded-For.',
    'Believed of trusted proxies alone.',
    ['test/server/client-address.test.ts', 'where a request came from'],
    [cop, 'another Host and other forwarders change nothing, and nothing of them is repeated'],
    [route, 'behind a trusted proxy its word counts, and only its last one'],
  ),
  proven(
    'G20',
    'Line breaks in names; endless names.',
    'Escaped in logs; no name becomes a label.',
    [cop, 'an operation name cannot write lines of the log, nor become a label of a metric'],
    ['test/server/log.test.ts', 'tell the same, and bring no control characters of others'],
  ),
  proven(
    'G21',
    'Markup, links or formulas in a message.',
    'Shown as text; a strict policy; nothing is loaded.',
    ['test/browser/order-to-code.test.ts', 'what an SMS says is text: no markup, no link, nothing loaded'],
  ),
  proven('G22', 'GraphiQL keeps keys.', 'Headers are never stored.', [
    'test/api/operations.test.ts',
    'opens for a browser, with working examples, and with the key on this machine alone',
  ]),
  proven(
    'G23',
    'A flood of forged webhooks.',
    'Cheap refusals, no row and no line each; addresses can be listed.',
    [route, 'a flood of forgeries is told of in one line'],
    [receive, 'whose signature is %s is refused, and costs no row'],
    [route, 'others are 403, whatever they sign'],
  ),
  proven(
    'G24',
    'A leaked key orders in a loop.',
    'Its caller’s budget and rate bound it, the audit names it, and a revocation ends it within five seconds.',
    [
      'test/conformance/attempts-prepare.ts',
      'admits up to the limit and not a rupiah more, and stores nothing then',
    ],
    [
      'test/server/rate-limit.test.ts',
      'a burst of twice the rate, then the rate, and the wait that is told is the right one',
    ],
    [auth, '401 for an expired key, and for a revoked one within five seconds'],
    [
      'test/faults/audit-and-dead-letters.test.ts',
      'tells who did what, by which key, in which request, and by whom keys were made',
    ],
  ),
  proven(
    'G25',
    'Secrets in the list of processes, health and error pages.',
    'None: secrets come by environment or file, never as arguments.',
    [canary, 'a whole day of the program, with everything that goes wrong'],
  ),
  struck(
    'G26',
    'Install scripts of dependencies.',
    'A lock file, exact versions, and a list of the two packages whose scripts may run.',
    'Held by package.json (allowScripts) and package-lock.json, which npm itself enforces; there is nothing of ours to run.',
  ),
  proven(
    'G27',
    'What was kept is erased, and still in the file’s bytes.',
    'Gone from the file and its log after the sweep. Copies made before it are the operator’s to delete.',
    [connection, 'takes what was erased out of the bytes of the file'],
    [
      'test/conformance/retention.ts',
      'erases text, code and number of what ended long enough ago, with what brought them',
    ],
    [
      'test/conformance/retention.ts',
      'erases answers that came too late, once their attempt waits for nobody',
    ],
  ),
  struck(
    'G28',
    'Finding out which GraphQL server this is.',
    'It can be found out.',
    'An accepted risk: no secret, and hiding it would cost more than it keeps.',
  ),
];
