import type { Catalog } from '../domain/catalog/catalog.ts';
import {
  type CatalogFilter,
  type CatalogOrder,
  type CatalogPosition,
  countRows,
  positionOf,
  productAt,
  selectPage,
} from '../domain/catalog/select.ts';
import { parseCountryId, parseOperatorId, parsePlatformId, parseProductId } from '../domain/ids.ts';
import { builder } from '../schema/builder.ts';
import { type CatalogPage, CatalogProductConnectionType } from '../schema/catalog.ts';
import {
  CatalogFilterType,
  CatalogOrderType,
  LONGEST_SEARCH,
  MOST_FILTER_IDS,
  MOST_OPERATORS,
} from '../schema/catalog-inputs.ts';
import type { GraphContext } from '../schema/context.ts';
import { badInput } from './errors.ts';
import { asBuyer } from './guard.ts';
import { cursorAt, DEFAULT_FIRST, firstOf, type List, type PageArgs, positionAt } from './page.ts';
import { readOrThrow } from './upstream-error.ts';

const catalogList: List<CatalogPosition> = {
  name: 'catalog',
  valuesOf: ({ id, key, group }) => [id, key, group],
  positionOf([id, key, group]) {
    const product = parseProductId(id);
    if (product === null || typeof group !== 'number') return null;
    return typeof key === 'string' || typeof key === 'number' ? { id: product, key, group } : null;
  },
};

const cheapestFirst: CatalogOrder = { field: 'PRICE', descending: false };

builder.queryField('catalogProducts', (t) =>
  t.field({
    type: CatalogProductConnectionType,
    description:
      'The tiers listed now, from a cache of bounded age. Pages are cut from the catalog of the moment: a tier that moves between two of them may show twice or not at all.',
    args: {
      filter: t.arg({ type: CatalogFilterType, description: 'Which tiers; left out: all.' }),
      orderBy: t.arg({ type: CatalogOrderType, description: 'How to sort; left out: cheapest first.' }),
      first: t.arg.int({ defaultValue: DEFAULT_FIRST, description: 'How many at most, 1 to 100.' }),
      after: t.arg.string({ description: 'The endCursor of the page before; left out: from the beginning.' }),
      refresh: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'true: read the whole catalog upstream first, which takes seconds.',
      }),
    },
    resolve: asBuyer(async (_root, args, context) => {
      const filter = filterOf(args.filter ?? {});
      const order: CatalogOrder =
        args.orderBy === null || args.orderBy === undefined
          ? cheapestFirst
          : { field: args.orderBy.field, descending: args.orderBy.direction === 'DESC' };
      const page = pageOf(context, filter, order, args);
      const operators = filter.operatorIds ?? [];
      return page(readOrThrow(await context.deps.catalog.whole(args.refresh, operators)));
    }),
  }),
);

/** Inputs are judged before the catalog is read; what comes back cuts the page out of it. */
function pageOf(
  context: GraphContext,
  filter: CatalogFilter,
  order: CatalogOrder,
  args: PageArgs,
): (catalog: Catalog) => CatalogPage {
  const question = { filter, order };
  const request = { first: firstOf(args), after: positionAt(context, catalogList, question, args.after) };
  return (catalog) => {
    const { rows, hasNext } = selectPage(catalog, filter, order, request);
    context.onCatalogPage?.(catalog, rows);
    let edges: CatalogPage['edges'] | null = null;
    return {
      get edges() {
        edges ??= rows.map((row) => ({
          node: productAt(catalog, row),
          cursor: () => cursorAt(context, catalogList, question, positionOf(catalog, filter, order, row)),
        }));
        return edges;
      },
      hasNextPage: hasNext,
      hasPreviousPage: request.after !== null,
      totalCount: () => countRows(catalog, filter),
      asOf: catalog.asOf,
    };
  };
}

function filterOf(asked: typeof CatalogFilterType.$inferInput): CatalogFilter {
  const { search, maxPrice } = asked;
  if (typeof search === 'string' && [...search].length > LONGEST_SEARCH) {
    throw badInput('search', `at most ${LONGEST_SEARCH} characters long`);
  }
  if (typeof maxPrice === 'number' && maxPrice < 0) throw badInput('maxPrice', '0 or more');
  return {
    countryIds: idsOf(asked.countryIds, 'countryIds', parseCountryId),
    platformIds: idsOf(asked.platformIds, 'platformIds', parsePlatformId),
    operatorIds: idsOf(asked.operatorIds, 'operatorIds', parseOperatorId, MOST_OPERATORS),
    search: search ?? null,
    orderable: asked.orderable ?? null,
    maxPrice: maxPrice ?? null,
  };
}

function idsOf<Id>(
  asked: readonly number[] | null | undefined,
  field: string,
  parse: (value: unknown) => Id | null,
  most = MOST_FILTER_IDS,
): readonly Id[] | null {
  if (asked === null || asked === undefined) return null;
  if (asked.length > most) throw badInput(field, `at most ${most} ids`);
  return asked.map(parse).filter((id) => id !== null);
}
