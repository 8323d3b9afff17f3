import type { CatalogOrder } from '../domain/catalog/select.ts';
import { builder } from './builder.ts';

/** Longer lists and searches cost every row of the catalog a look-up, and no picker has them. */
/** The provider lists an operator's tiers only when asked for that operator: each costs a call. */
export const MOST_OPERATORS = 20;
export const MOST_FILTER_IDS = 500;
export const LONGEST_SEARCH = 100;

export const CatalogFilterType = builder.inputType('CatalogFilter', {
  description:
    'Which tiers are meant. All that is given must hold; what is left out or null does not narrow.',
  fields: (t) => ({
    countryIds: t.intList({
      description: `Tiers of any of these countries, ${MOST_FILTER_IDS} at most. An empty list: none.`,
    }),
    platformIds: t.intList({
      description: `Tiers of any of these platforms, ${MOST_FILTER_IDS} at most. An empty list: none.`,
    }),
    operatorIds: t.intList({
      description: `Tiers of any of these operators, ${MOST_OPERATORS} at most: each is asked for upstream by itself. An empty list: none.`,
    }),
    search: t.string({
      description: `A part of the name, whatever its letter case and accents; ${LONGEST_SEARCH} characters at most.`,
    }),
    orderable: t.boolean({
      description: 'true: only what can be ordered now; false: only what cannot; null: both.',
    }),
    maxPrice: t.field({ type: 'Rupiah', description: 'Tiers that cost this much or less; not negative.' }),
  }),
});

const CatalogOrderFieldType = builder.enumType('CatalogOrderField', {
  description: 'What a list of tiers is sorted by. Equal ones stand in the order of their ids.',
  values: {
    PRICE: { description: 'The price of one number.' },
    AVAILABLE: { description: 'The stock.' },
    NAME: { description: 'The name, without regard to letter case and accents.' },
    COUNTRY_PREFERENCE: {
      description:
        'In the order in which filter.countryIds names the countries, cheapest first within one. Without countries named: cheapest first.',
    },
  } satisfies Record<CatalogOrder['field'], { description: string }>,
});

const DirectionType = builder.enumType('Direction', {
  description: 'Which end of a sorted list comes first.',
  values: {
    ASC: { description: 'The smallest first; names from A to Z.' },
    DESC: { description: 'The largest first; names from Z to A.' },
  },
});

export const CatalogOrderType = builder.inputType('CatalogOrder', {
  description: 'How to sort.',
  fields: (t) => ({
    field: t.field({ type: CatalogOrderFieldType, required: true, description: 'What to sort by.' }),
    direction: t.field({
      type: DirectionType,
      required: true,
      defaultValue: 'ASC',
      description: 'Rising or falling. DESC turns a country preference round as well.',
    }),
  }),
});
