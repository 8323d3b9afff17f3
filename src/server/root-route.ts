import { answer, answerJson, type Route } from './exchange.ts';

/** Leads a browser to GraphiQL where that is on; tells everybody else where the graph is. */
export function rootRoute(hasGraphiql: boolean): Route {
  return {
    name: 'root',
    methods: ['GET', 'HEAD'],
    handle(exchange) {
      if (hasGraphiql) answer(exchange, 302, '', { location: '/graphql' });
      else answerJson(exchange, 200, { graphql: '/graphql' });
      return Promise.resolve();
    },
  };
}
