import { graphql } from '../graph/graphql.ts';

export const BalanceDocument = graphql(`
  subscription Balance {
    balanceChanged { amount low asOf }
  }
`);
