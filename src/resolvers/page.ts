import type { Page, PageRequest } from '../domain/page.ts';
import type { Connection, CountedConnection, Edge } from '../schema/connection.ts';
import type { CursorScope, CursorValue, GraphContext } from '../schema/context.ts';
import { badInput } from './errors.ts';

/** gateway.md, Inputs. */
const MOST_FIRST = 100;
export const DEFAULT_FIRST = 50;

/** A list that is read in pages: how its sort positions become cursors and back. */
export interface List<Position> {
  readonly name: string;
  valuesOf(position: Position): readonly CursorValue[];
  /** Null for values that are no position of this list. */
  positionOf(values: readonly unknown[]): Position | null;
}

export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** Null counts as the default. @throws BAD_USER_INPUT outside of 1 to the most that the list gives at once. */
export function firstOf(args: PageArgs, bounds = { otherwise: DEFAULT_FIRST, most: MOST_FIRST }): number {
  const first = args.first ?? bounds.otherwise;
  if (first < 1 || first > bounds.most) throw badInput('first', `1 to ${bounds.most}`);
  return first;
}

/** @throws BAD_USER_INPUT for a cursor that is not of this list, caller and question. */
export function positionAt<Position>(
  context: GraphContext,
  list: List<Position>,
  question: unknown,
  cursor: string | null | undefined,
): Position | null {
  if (cursor === null || cursor === undefined) return null;
  const values = context.cursors.open(scopeOf(context, list, question), cursor);
  const position = values === null ? null : list.positionOf(values);
  if (position === null) throw badInput('after', 'a cursor of this list, with the same filter and order');
  return position;
}

export function cursorAt<Position>(
  context: GraphContext,
  list: List<Position>,
  question: unknown,
  position: Position,
): string {
  return context.cursors.seal(scopeOf(context, list, question), list.valuesOf(position));
}

function scopeOf(context: GraphContext, list: { readonly name: string }, question: unknown): CursorScope {
  return { list: list.name, visibility: context.visibility, question };
}

/** A page out of a store, as a connection. `question` is what was asked for, filter and order. */
export async function storedPage<Node, Position>(
  context: GraphContext,
  list: List<Position>,
  question: unknown,
  args: PageArgs,
  read: (request: PageRequest<Position>) => Promise<Page<Node, Position>>,
): Promise<CountedConnection<Node>> {
  const request = { first: firstOf(args), after: positionAt(context, list, question, args.after) };
  const page = await read(request);
  return {
    edges: page.items.map(
      ({ node, position }): Edge<Node> => ({
        node,
        cursor: () => cursorAt(context, list, question, position),
      }),
    ),
    hasNextPage: page.hasNext,
    hasPreviousPage: request.after !== null,
    totalCount: () => page.total,
  };
}

/** A list by falling numbers of its rows, the newest first. */
export interface NumberedList<Node> extends List<number> {
  numberOf(node: Node): number;
}

export function numberedList<Node>(name: string, numberOf: (node: Node) => number): NumberedList<Node> {
  return {
    name,
    numberOf,
    valuesOf: (number) => [number],
    positionOf: ([number]) => (typeof number === 'number' ? number : null),
  };
}

/** A page of a list that is not counted. `read` is asked for one more than is shown, before a number. */
export async function openEndedPage<Node>(
  context: GraphContext,
  list: NumberedList<Node>,
  question: unknown,
  args: PageArgs,
  read: (before: number | null, limit: number) => Promise<readonly Node[]>,
): Promise<Connection<Node>> {
  const first = firstOf(args);
  const before = positionAt(context, list, question, args.after);
  const found = await read(before, first + 1);
  return {
    edges: found.slice(0, first).map(
      (node): Edge<Node> => ({
        node,
        cursor: () => cursorAt(context, list, question, list.numberOf(node)),
      }),
    ),
    hasNextPage: found.length > first,
    hasPreviousPage: before !== null,
  };
}
