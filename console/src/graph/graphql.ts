import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graph-env.d.ts';

/** Writes a document of the public graph; its result and variables are typed by schema.graphql. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { Rupiah: number; DateTime: string };
  disableMasking: true;
}>();
