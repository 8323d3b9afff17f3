import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DocumentNode, print } from 'graphql';
import { FacetsDocument, OffersDocument } from '../../console/src/numbers/catalog-documents.ts';
import { JobAttemptDocument } from '../../console/src/numbers/job-documents.ts';
import { OpenOrdersDocument } from '../../console/src/numbers/order-documents.ts';
import {
  AttemptsDocument,
  MoneyDocument,
  StatisticsDocument,
} from '../../console/src/operations/operations-documents.ts';
import { OrderDocument, OrdersDocument } from '../../console/src/orders/orders-document.ts';
import { ViewerDocument } from '../../console/src/session/viewer.ts';
import { FIRST_CREATED_ORDER } from '../harness/data.ts';
import { gateway, scratch, upstream } from '../harness/gateway.ts';
import { ask } from '../harness/http-load.ts';
import { askAlone, type Measure, type MeasuredPath, p95, type Question } from '../harness/measured.ts';
import { multiplyOrder } from '../harness/million.ts';
import { median, type Plan } from '../harness/rounds.ts';

const STORED = 1_000_000;
const OPEN = 100_000;
const SETTLED = 3_000;

/** Every query of the console's buyer side that reads nothing upstream, over a database that has been used for long. */
export async function bigDatabase(plan: Plan): Promise<MeasuredPath> {
  const stub = await upstream({ CATALOG_SIZE: '5000' });
  try {
    const file = join(scratch(), 'switchboard.db');
    const ours = gateway(stub.port, file);
    const headers = { 'content-type': 'application/json', authorization: ours.authorization };
    const first = await ours.start();
    const made =
      'mutation { createOrder(input: {businessJobId: "job", catalogProductId: 1}) { __typename } }';
    await ask(first.port, '/graphql', JSON.stringify({ query: made }), headers);
    await first.stop();
    multiplyOrder(file, STORED, OPEN);

    const starts: number[] = [];
    for (let round = 0; round < plan.rounds; round++) {
      const startedAt = performance.now();
      const running = await ours.start();
      starts.push(performance.now() - startedAt);
      await running.stop();
    }
    const running = await ours.start();
    try {
      await sleep(SETTLED);
      const measures: Measure[] = [];
      for (const question of questions()) {
        await askAlone(running.port, headers, question, plan.warmUpMs / 3);
        const value = p95(await askAlone(running.port, headers, question, plan.roundMs / 2));
        measures.push({ name: `${question.name}, p95`, value, unit: 'ms', atMost: 50 });
      }
      return {
        path: `${OPEN} open orders of ${STORED} stored`,
        what: 'The console’s own documents, one connection, one question after the other; start to ready, and resident memory afterwards.',
        measures: [
          ...measures,
          { name: 'start to ready', value: median(starts), unit: 'ms', atMost: 2_000 },
          { name: 'memory', value: running.memory() / 2 ** 20, unit: 'MiB', atMost: 300 },
        ],
      };
    } finally {
      await running.stop();
    }
  } finally {
    await stub.stop();
  }
}

function questions(): readonly Question[] {
  const at = (days: number): string => new Date(Date.now() - days * 24 * 60 * 60 * 1_000).toISOString();
  const asked = (name: string, document: DocumentNode, variables: Question['variables'] = {}): Question => ({
    name,
    query: print(document),
    variables,
  });
  const orders = (name: string, filter: Readonly<Record<string, unknown>>): Question =>
    asked(`Orders, ${name}`, OrdersDocument, { filter, first: 50 });
  const statistics = (groupBy: string, days: number): Question =>
    asked(`Statistics by ${groupBy}, ${days} days`, StatisticsDocument, { groupBy, since: at(days) });
  return [
    asked('Viewer', ViewerDocument),
    asked('Money', MoneyDocument),
    asked('OpenOrders', OpenOrdersDocument),
    orders('all', {}),
    orders('open', { statuses: ['ACTIVE', 'OTP_RECEIVED'] }),
    orders('in no status there is', { statuses: ['CANCELED', 'EXPIRED'] }),
    orders('of a day', { createdFrom: at(20), createdTo: at(19) }),
    orders('of a day, completed', { statuses: ['COMPLETED'], createdFrom: at(20), createdTo: at(19) }),
    orders('of a number', { phoneNumber: '+628100500000' }),
    orders('of a job', { businessJobId: 'job' }),
    asked('Order', OrderDocument, { id: String(FIRST_CREATED_ORDER + 1) }),
    asked('JobAttempt', JobAttemptDocument, { job: 'job' }),
    asked('Attempts', AttemptsDocument, { states: null, first: 50 }),
    asked('Facets', FacetsDocument),
    asked('Offers', OffersDocument, {
      filter: { orderable: true, search: 'platform 7' },
      orderBy: { field: 'PRICE', direction: 'ASC' },
      first: 50,
    }),
    ...['PLATFORM', 'COUNTRY', 'OPERATOR', 'PRODUCT'].map((groupBy) => statistics(groupBy, 30)),
    statistics('PLATFORM', 1),
  ];
}
