import type { ObjectRef, OutputRef } from '@pothos/core';
import { builder } from './builder.ts';

type Types = typeof builder.$inferSchemaTypes;

/** One entry of a page. Its cursor is made when asked for: signing a hundred that nobody reads is waste. */
export interface Edge<Node> {
  readonly node: Node;
  cursor(): string;
}

export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

export interface CountedConnection<Node> extends Connection<Node> {
  /** Counted when asked for. */
  totalCount(): number;
}

const PageInfo = builder.objectRef<Connection<unknown>>('PageInfo').implement({
  description: 'Where a page stands in its list. To read on, ask again with `after: endCursor`.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether anything follows this page.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      description: 'Whether this page was asked for with `after`, so that something stands before it.',
    }),
    startCursor: t.string({
      nullable: true,
      description: 'The cursor of the first entry; null of an empty page.',
      resolve: (page) => page.edges[0]?.cursor() ?? null,
    }),
    endCursor: t.string({
      nullable: true,
      description: 'The cursor of the last entry, to be passed as `after`; null of an empty page.',
      resolve: (page) => page.edges.at(-1)?.cursor() ?? null,
    }),
  }),
});

/** The types `<name>Connection` and `<name>Edge`. `what` says in the plural what is listed. */
export function connectionOf<Node, Page extends Connection<Node>>(
  name: string,
  what: string,
  node: OutputRef<Node>,
): ObjectRef<Types, Page> {
  // Upcast: with the node's type open, Pothos cannot tell a list of nodes from a node that is a list.
  const anyNode: OutputRef = node;
  const edge = builder.objectRef<Edge<unknown>>(`${name}Edge`).implement({
    description: `One of the ${what}, with its place in the list.`,
    fields: (t) => ({
      node: t.field({ type: anyNode, description: 'The entry itself.', resolve: (entry) => entry.node }),
      cursor: t.string({
        description: 'Opaque. Good for this list, filter, order and caller alone, for as long as you like.',
        resolve: (entry) => entry.cursor(),
      }),
    }),
  });
  return builder.objectRef<Page>(`${name}Connection`).implement({
    description: `A page of ${what}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'The entries of this page with their cursors.',
        resolve: (page) => page.edges,
      }),
      nodes: t.field({
        type: [anyNode],
        description: 'The entries of this page alone: for when no cursor of each is needed.',
        resolve: (page) => page.edges.map((entry) => entry.node),
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'Where this page stands in the list.',
        resolve: (page) => page,
      }),
    }),
  });
}

/** Adds totalCount to a connection whose source knows it. */
export function countable<Page extends CountedConnection<unknown>>(connection: ObjectRef<Types, Page>): void {
  builder.objectField(connection, 'totalCount', (t) =>
    t.int({
      description: 'How many entries the whole list has under its filter, not this page.',
      resolve: (page) => page.totalCount(),
    }),
  );
}
