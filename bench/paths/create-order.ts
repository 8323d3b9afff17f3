import { join } from 'node:path';
import { gateway, scratch, upstream } from '../harness/gateway.ts';
import { ask, httpLoad, postBytes } from '../harness/http-load.ts';
import { SERVER_CORE, startServer } from '../harness/process.ts';
import { type Plan, race } from '../harness/rounds.ts';
import { OURS, type PathResult } from '../harness/table.ts';
import { HIVE, hiveCreate } from './hive.ts';

const CREATE = `mutation Create($input: CreateOrderInput!) {
  createOrder(input: $input) { __typename ... on CreateOrderResolved { orders { id } } }
}`;
const CREATED = /"orders":\[\{"id":"?\d+"?\}\]/;
const IN_FLIGHT = 64;

/** createOrder against an upstream that answers at once, each of a new job. */
export async function createOrder(plan: Plan): Promise<PathResult> {
  const stub = await upstream({});
  try {
    const ours = gateway(stub.port);
    const UPSTREAM = `http://127.0.0.1:${stub.port}/v1`;
    const bare = {
      file: 'peers/create.ts',
      core: SERVER_CORE,
      environment: { DATABASE: join(scratch(), 'bare.db'), UPSTREAM },
    };
    const hive = { file: 'peers/hive.ts', core: SERVER_CORE, environment: { UPSTREAM } };
    const headers = { 'content-type': 'application/json', authorization: ours.authorization };
    const body = (sequence: string): string =>
      JSON.stringify({
        query: CREATE,
        variables: { input: { businessJobId: sequence, catalogProductId: 1 } },
      });
    let sequence = 0;
    const checked = new Set<string>();
    const figures = await race(
      [
        { name: 'bare node:http, two commits, one POST', start: () => startServer(bare) },
        { name: OURS, start: () => ours.start() },
        { name: HIVE, start: () => startServer(hive) },
      ],
      plan,
      async ({ port }, name, milliseconds) => {
        const bodyOf = name === HIVE ? hiveCreate : body;
        if (!checked.has(name)) {
          const answer = await ask(port, '/graphql', bodyOf(`first-${name}`), headers);
          if (!CREATED.test(answer)) throw new Error(`${name}: ${answer}`);
          checked.add(name);
        }
        const request = (): Buffer => postBytes('/graphql', bodyOf(`job-${sequence++}`), headers);
        return httpLoad({ port, connections: IN_FLIGHT, milliseconds, request });
      },
    );
    return {
      path: 'createOrder',
      what: `POST /graphql, each of a new job, ${IN_FLIGHT} in flight; the upstream answers at once and shares the load's core.`,
      figures,
      targets: [{ to: 'bare node:http, two commits, one POST', atLeast: 0.75 }],
    };
  } finally {
    await stub.stop();
  }
}
