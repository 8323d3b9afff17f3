import type { ResultOf } from 'gql.tada';
import { graphql } from '../graph/graphql.ts';

export const FacetsDocument = graphql(`
  query Facets {
    catalogFacets {
      countries { id label available }
      platforms { id label available }
    }
    countries { id code name dialCode emoji }
  }
`);

export const OffersDocument = graphql(`
  query Offers($filter: CatalogFilter!, $orderBy: CatalogOrder!, $first: Int!) {
    catalogProducts(filter: $filter, orderBy: $orderBy, first: $first) {
      totalCount
      asOf
      nodes {
        id
        catalogProductId
        price
        available
        operatorId
        operatorName
        country { code name emoji }
        platform { name }
        name
      }
    }
  }
`);

export type Offer = ResultOf<typeof OffersDocument>['catalogProducts']['nodes'][number];
export type Facets = ResultOf<typeof FacetsDocument>;
