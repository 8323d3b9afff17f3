import type { ResultOf } from 'gql.tada';
import { graphql } from '../graph/graphql.ts';

export const ViewerDocument = graphql(`
  query Viewer {
    viewer {
      caller
      scopes
      budget { limit spent reserved remaining }
    }
  }
`);

export type Viewer = ResultOf<typeof ViewerDocument>['viewer'];
export type Scope = Viewer['scopes'][number];

/** OPERATOR includes the other two. */
export function may(viewer: Viewer, scope: Scope): boolean {
  return viewer.scopes.includes(scope) || viewer.scopes.includes('OPERATOR');
}
