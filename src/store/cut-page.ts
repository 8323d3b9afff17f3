import type { Page } from '../domain/page.ts';

/** A page of nodes in their final order, of which at least one more than `first` was asked for. */
export function cutPage<Node, Position>(
  nodes: readonly Node[],
  first: number,
  total: number,
  positionOf: (node: Node) => Position,
): Page<Node, Position> {
  return {
    items: nodes.slice(0, first).map((node) => ({ node, position: positionOf(node) })),
    hasNext: nodes.length > first,
    total,
  };
}
