import SchemaBuilder from '@pothos/core';
import type { Rupiah } from '../domain/money.ts';
import type { Instant } from '../domain/time.ts';
import type { GraphContext } from './context.ts';

/** What all nouns and verbs of the graph are made with. Fields are non-null unless they say otherwise. */
export const builder = new SchemaBuilder<{
  Context: GraphContext;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    Rupiah: { Input: Rupiah; Output: Rupiah };
    DateTime: { Input: Instant; Output: Instant };
  };
}>({ defaultFieldNullability: false });

builder.queryType({ description: 'What can be asked. Queries change nothing and may be repeated freely.' });
builder.mutationType({
  description:
    'What can be done. What the domain expects to happen is a type of the answer; only what you could have known better is an error.',
});
builder.subscriptionType({
  description:
    'What can be followed, over WebSocket (graphql-transport-ws) or SSE. Each stream begins with what is there already, so that nothing falls between a query and its subscription.',
});
