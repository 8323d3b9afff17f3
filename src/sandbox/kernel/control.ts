import { inOurWords } from './fault-words.ts';
import { type Faults, faultSchema } from './faults.ts';
import { jsonReply, parseAs, parseJson, type Reply, refusal } from './reply.ts';
import type { RequestLog } from './request-log.ts';
import type { Side } from './side.ts';

export type ControlRequest = {
  readonly method: string;
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly body: Uint8Array | null;
};

export type Control = (request: ControlRequest) => Reply;

type Parts = { readonly faults: Faults; readonly log: RequestLog; readonly sides: readonly Side[] };

/**
 * The switches behind /_sandbox. They make money and messages out of nothing, so a web page must not reach them: the
 * Host (against DNS rebinding) and the Origin must be loopback.
 */
export function createControl({ faults, log, sides }: Parts): Control {
  return ({ method, target, host, origin, body }) => {
    if (host === undefined || !isLoopback(`http://${host}`))
      return refusal(403, 'the control paths are for loopback hosts only');
    if (origin !== undefined && !isLoopback(origin))
      return refusal(403, `the control paths are closed to ${origin}`);
    const url = new URL(target, 'http://sandbox');
    const path = url.pathname;
    const hasBody = method !== 'GET' && method !== 'DELETE' && body !== null && body.length > 0;
    const value = hasBody ? parseJson(body) : {};
    if (body === null || value === undefined) return refusal(422, 'the body is no JSON');

    switch (`${method} ${path}`) {
      case 'GET /_sandbox/settings':
        return jsonReply(200, settings(sides));
      case 'POST /_sandbox/settings':
        return changeSettings(sides, value);
      case 'GET /_sandbox/faults':
        return jsonReply(200, { faults: faults.list() });
      case 'POST /_sandbox/faults':
        return addFault(faults, value);
      case 'DELETE /_sandbox/faults':
        faults.clear();
        return jsonReply(200, { faults: [] });
      case 'GET /_sandbox/ledger': {
        const after = Number(url.searchParams.get('after') ?? 0);
        const parts = sides.map((side) => side.ledger());
        return jsonReply(200, { ...Object.assign({}, ...parts), requests: log.list(after) });
      }
    }
    for (const side of sides) {
      const reply = side.control({ method, path, body: value });
      if (reply !== null) return reply;
    }
    return refusal(404, `no such control: ${method} ${path}`);
  };
}

function settings(sides: readonly Side[]): Record<string, unknown> {
  return Object.assign({}, ...sides.map((side) => side.settings.read()));
}

/** All or nothing: one wrong name or value leaves every setting as it was. */
function changeSettings(sides: readonly Side[], value: unknown): Reply {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refusal(422, 'the body is no object');
  const changes = new Map(Object.entries(value));
  const wrong: string[] = [];
  const parts = sides.map((side) => {
    const own = Object.fromEntries([...changes].filter(([name]) => side.settings.names.includes(name)));
    for (const name of Object.keys(own)) changes.delete(name);
    const message = side.settings.check(own);
    if (message !== null) wrong.push(message);
    return { side, own };
  });
  if (changes.size > 0) {
    const known = sides.flatMap((side) => side.settings.names).join(', ');
    wrong.push(`unknown: ${[...changes.keys()].join(', ')} (there are: ${known})`);
  }
  if (wrong.length > 0) return refusal(422, wrong.join('; '));
  for (const { side, own } of parts) side.settings.change(own);
  return jsonReply(200, settings(sides));
}

const EXAMPLE =
  'For example: {"kind": "reset_after", "match": {"method": "POST", "path": "/v1/orders/create"}, "times": 2}';

function addFault(faults: Faults, value: unknown): Reply {
  const parsed = parseAs(faultSchema, inOurWords(value));
  if (parsed.kind === 'wrong') return refusal(422, `${parsed.message}. ${EXAMPLE}`);
  faults.add(parsed.value);
  return jsonReply(200, { faults: faults.list() });
}

/** Of an origin such as `http://127.0.0.1:4010`; `null`, the origin of sandboxed pages and files, is none. */
function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  return isLoopbackHost(new URL(origin).hostname);
}

export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
