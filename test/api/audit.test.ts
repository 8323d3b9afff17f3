import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

// The suite of the GraphQL over HTTP specification, over a real socket, with a key.
for (const audit of serverAudits({
  url: () => gateway.graphql,
  fetchFn: (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${gateway.key}` } }),
})) {
  test(`${audit.id} ${audit.name}`, async () => {
    const result = await audit.fn();
    // What the specification leaves open ("notice") is not held against anybody.
    expect(
      result.status === 'ok' || result.status === 'notice'
        ? 'ok'
        : `${result.status}: ${'reason' in result ? result.reason : ''}`,
    ).toBe('ok');
  });
}
