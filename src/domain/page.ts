/** One page of a list in a fixed order. `after` is the sort position behind which it begins; null: at the beginning. */
export interface PageRequest<Position> {
  readonly first: number;
  readonly after: Position | null;
}

export interface PageItem<Item, Position> {
  readonly node: Item;
  readonly position: Position;
}

export interface Page<Item, Position> {
  readonly items: readonly PageItem<Item, Position>[];
  readonly hasNext: boolean;
  readonly total: number;
}
