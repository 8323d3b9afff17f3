import { graphql } from '../graph/graphql.ts';

export const OpenNumbersDocument = graphql(`
  query OpenNumbers {
    orders(filter: { statuses: [ACTIVE, OTP_RECEIVED] }, first: 50) {
      nodes { id phoneNumber product { platform { name } } }
    }
  }
`);
