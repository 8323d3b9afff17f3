/** Other words for a fault, as people who have not read this page write them. */
const KINDS: Readonly<Record<string, string>> = {
  latency: 'delay',
  slow: 'delay',
  timeout: 'hang',
  reset: 'reset_before',
  reset_before_effect: 'reset_before',
  reset_after_effect: 'reset_after',
  half: 'half_body',
  truncated: 'half_body',
  truncated_body: 'half_body',
  invalid_utf8: 'bad_utf8',
  html: 'html_502',
  bad_gateway: 'html_502',
  '502': 'html_502',
  '429': 'rate_limited',
  rate_limit: 'rate_limited',
  too_many_requests: 'rate_limited',
  malformed: 'wrong_shape',
};

const NAMES: Readonly<Record<string, string>> = {
  type: 'kind',
  fault: 'kind',
  count: 'times',
  calls: 'times',
  n: 'times',
  delay_ms: 'ms',
  milliseconds: 'ms',
  retry_after_seconds: 'retry_after',
};

const OF_MATCH: readonly string[] = ['method', 'path', 'side', 'event', 'order_id'];

/**
 * The contract names the faults in words and leaves their shape open: `{"type": "resetAfter", "path": …, "count": 2}` is
 * meant as `{"kind": "reset_after", "match": {"path": …}, "times": 2}`. What is not understood is left for the schema to refuse.
 */
export function inOurWords(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fault: Record<string, unknown> = {};
  const match: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    const plain = snakeCase(name);
    if (OF_MATCH.includes(plain)) match[plain] = given;
    else fault[NAMES[plain] ?? plain] = given;
  }
  if (typeof fault['kind'] === 'string' || typeof fault['kind'] === 'number') {
    const kind = snakeCase(String(fault['kind']));
    fault['kind'] = KINDS[kind] ?? kind;
  }
  if (Object.keys(match).length > 0) fault['match'] = { ...match, ...objectOf(fault['match']) };
  return fault;
}

function snakeCase(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
