import { join } from 'node:path';
import { FIRST_CREATED_ORDER } from '../harness/data.ts';
import { gateway, scratch, upstream } from '../harness/gateway.ts';
import { ask, httpLoad, postBytes, type RequestMaker } from '../harness/http-load.ts';
import { SERVER_CORE, startServer } from '../harness/process.ts';
import { type Contender, type Plan, race } from '../harness/rounds.ts';
import { OURS, type PathResult, type Target } from '../harness/table.ts';
import { HIVE, hiveOrders, hivePages, type Questions } from './hive.ts';

const PAGE = `query Page($filter: CatalogFilter) {
  catalogProducts(filter: $filter, first: 50) {
    nodes { id catalogProductId name countryId platformId price available active }
    pageInfo { hasNextPage }
  }
}`;
const ORDER = `query One($id: ID!) {
  order(id: $id) { id status amount productId catalogProductId operatorId expiresAt createdAt }
}`;
const CONNECTIONS = 32;
const ORDERS = 200;

/** A page of 50 tiers out of `size`: of two countries and below a price, so that no two questions are alike; or always one. */
export function catalogPage(
  size: number,
  kind: 'all different' | 'the same again',
): (plan: Plan) => Promise<PathResult> {
  const body = (sequence: number): string => {
    const at = kind === 'all different' ? sequence : 0;
    const filter = { countryIds: [1 + (at % 50), 1 + ((at * 7 + 3) % 50)], maxPrice: 5_000_000 + at };
    return JSON.stringify({ query: PAGE, variables: { filter } });
  };
  const targets: Target[] =
    kind === 'all different'
      ? [
          { to: 'bare node:http', atLeast: 0.35 },
          { to: 'Mercurius + JIT', atLeast: 1.3 },
        ]
      : [{ to: 'bare node:http', atLeast: 0.7 }];
  return (plan) =>
    run(plan, {
      path: `catalog page of 50 out of ${size}, ${kind}`,
      what: `POST /graphql, 8 fields of 50 tiers, ${CONNECTIONS} connections.`,
      size,
      body,
      targets,
      stringify: true,
      hive: size === 5_000 && kind === 'all different' ? hivePages(size) : null,
    });
}

export function oneOrder(plan: Plan): Promise<PathResult> {
  return run(plan, {
    path: 'one order by id',
    what: `POST /graphql, 8 fields of one of ${ORDERS} stored orders, ${CONNECTIONS} connections.`,
    size: 5_000,
    body: (sequence) =>
      JSON.stringify({
        query: ORDER,
        variables: { id: String(FIRST_CREATED_ORDER + 1 + (sequence % ORDERS)) },
      }),
    targets: [
      { to: 'bare node:http', atLeast: 0.38 },
      { to: 'Mercurius + JIT', atLeast: 1.1 },
    ],
    stringify: false,
    hive: hiveOrders(ORDERS),
  });
}

async function run(
  plan: Plan,
  asked: {
    readonly path: string;
    readonly what: string;
    readonly size: number;
    readonly body: (sequence: number) => string;
    readonly targets: readonly Target[];
    readonly stringify: boolean;
    /** What Hive is asked. With it, those far behind are raced: once a kind of path, as each takes a quarter of a minute. */
    readonly hive: Questions | null;
  },
): Promise<PathResult> {
  const stub = await upstream({ CATALOG_SIZE: String(asked.size) });
  try {
    const file = join(scratch(), 'switchboard.db');
    const ours = gateway(stub.port, file);
    const headers = { 'content-type': 'application/json', authorization: ours.authorization };
    const seed = await ours.start();
    await seedOrders(seed.port, headers);
    const sample = await ask(seed.port, '/graphql', asked.body(0), headers);
    await seed.stop();

    const peer =
      (file_: string, environment: Record<string, string> = {}) =>
      (): ReturnType<Contender['start']> =>
        startServer({
          file: file_,
          core: SERVER_CORE,
          environment: { UPSTREAM: `http://127.0.0.1:${stub.port}/v1`, DATABASE: file, ...environment },
        });
    const contenders: Contender[] = [
      {
        name: 'bare node:http',
        start: peer('peers/bare.ts', { BYTES: Buffer.from(sample).toString('base64') }),
      },
      { name: OURS, start: () => ours.start() },
      { name: 'Mercurius + JIT', start: peer('peers/mercurius.ts') },
      ...(asked.hive === null
        ? []
        : [
            { name: 'Apollo Server 5', start: peer('peers/apollo.ts') },
            { name: 'plain Yoga', start: peer('peers/yoga.ts') },
            { name: HIVE, start: peer('peers/hive.ts') },
          ]),
      ...(asked.stringify ? [{ name: 'JSON.stringify alone', start: peer('peers/stringify.ts') }] : []),
    ];
    const common: Questions = { body: asked.body, answer: sample };
    const checked = new Set<string>();
    const figures = await race(contenders, plan, async ({ port }, name, milliseconds) => {
      const { body, answer: expected } = name === HIVE && asked.hive !== null ? asked.hive : common;
      const request: RequestMaker = (sequence) => postBytes('/graphql', body(sequence), headers);
      if (!checked.has(name)) {
        checked.add(name);
        const answer = await ask(port, '/graphql', body(0), headers);
        if (answer.trim() !== expected)
          throw new Error(`${name} answers differently: ${answer.slice(0, 300)}`);
      }
      // All but Hive are asked the same questions, none twice: the next round goes on where the last one ended.
      const first = asked_.get(name) ?? 1;
      const result = await httpLoad({ port, connections: CONNECTIONS, milliseconds, request, first });
      asked_.set(name, first + result.answered + CONNECTIONS);
      return result;
    });
    return { path: asked.path, what: asked.what, figures, targets: asked.targets };
  } finally {
    await stub.stop();
  }
}

const asked_ = new Map<string, number>();

async function seedOrders(port: number, headers: Record<string, string>): Promise<void> {
  for (let at = 0; at < ORDERS; at++) {
    const query = `mutation { createOrder(input: {businessJobId: "seed-${at}", catalogProductId: 1}) { __typename } }`;
    const answer = await ask(port, '/graphql', JSON.stringify({ query }), headers);
    if (!answer.includes('CreateOrderResolved')) throw new Error(answer);
  }
}
