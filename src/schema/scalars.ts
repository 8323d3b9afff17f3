import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { parseRupiah, type Rupiah } from '../domain/money.ts';
import { formatInstant, type Instant, parseInstant } from '../domain/time.ts';
import { builder } from './builder.ts';

builder.scalarType('Rupiah', {
  description:
    'Whole Indonesian rupiah, no fraction and never divided by 100: a JSON integer within the safe range (-(2^53-1) to 2^53-1).',
  serialize: (amount) => amount,
  parseValue: (value) => parseAmount(value, undefined),
  // 1e3 and 1000.0 are no integers to a reader, whatever they come to.
  parseLiteral: (node) => parseAmount(node.kind === Kind.INT ? Number(node.value) : undefined, node),
});

builder.scalarType('DateTime', {
  description:
    'An instant in RFC 3339. Answers are in UTC with milliseconds, as 2026-03-16T10:30:00.000Z; inputs may carry any offset, and must carry one.',
  serialize: (at) => formatInstant(at),
  parseValue: (value) => parseTime(value, undefined),
  parseLiteral: (node) => parseTime(node.kind === Kind.STRING ? node.value : undefined, node),
});

function parseAmount(value: unknown, node: ValueNode | undefined): Rupiah {
  return parseRupiah(value) ?? refuse('a whole number of rupiah within the safe integer range', node);
}

function parseTime(value: unknown, node: ValueNode | undefined): Instant {
  const at = typeof value === 'string' ? parseInstant(value) : null;
  return at ?? refuse('an RFC 3339 time with its offset, such as 2026-03-16T10:30:00Z', node);
}

function refuse(expected: string, node: ValueNode | undefined): never {
  throw new GraphQLError(`Expected ${expected}.`, {
    nodes: node ?? null,
    extensions: { code: 'BAD_USER_INPUT' },
  });
}
