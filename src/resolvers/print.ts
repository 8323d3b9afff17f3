import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './index.ts';

/** The graph in SDL, sorted, so that two prints differ only where the graph does. */
export function printGraph(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
