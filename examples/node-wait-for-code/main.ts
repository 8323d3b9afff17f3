// Orders a number, prints the code of its SMS on stdout, and ends the order properly: finished with a code, given back
// without one. Started again with the same job after a crash, it goes on where it was.
//
//   npx tsx examples/node-wait-for-code/main.ts JOB [--product ID] [--max-price IDR] [--wait SECONDS]
//
// Exit codes: 0 a code; 1 no number; 2 no code; 3 unclear, ask again with the same job.
import { parseArgs } from 'node:util';
import { type Gateway, openGateway } from '../client.ts';
import { finishOrder, giveBack } from './end-order.ts';
import { orderNumber } from './order-number.ts';
import { waitForCode, waitForNumber } from './wait.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    product: { type: 'string', default: '6136' },
    'max-price': { type: 'string' },
    wait: { type: 'string', default: '600' },
  },
});
const [job] = positionals;
if (job === undefined) throw new Error('a JOB is needed: its name, the same for every try');

const gateway = openGateway();
process.exitCode = await run(gateway, job);
await gateway.close();

async function run(gateway: Gateway, businessJobId: string): Promise<number> {
  const maxPrice = values['max-price'];
  const ordered = await orderNumber(gateway, {
    businessJobId,
    catalogProductId: Number(values.product),
    ...(maxPrice !== undefined && { maxUnitPrice: Number(maxPrice) }),
  });
  if (ordered.kind !== 'ordered') {
    tell(ordered.why);
    return ordered.kind === 'none' ? 1 : 3;
  }
  tell(`order ${ordered.id}: ${ordered.phoneNumber ?? (await waitForNumber(gateway, ordered.id))}`);

  const wait = { milliseconds: Number(values.wait) * 1_000, afterRevision: -1 };
  let found = await waitForCode(gateway, ordered.id, wait, tell);
  if (found === null) {
    const end = await giveBack(gateway, ordered.id);
    if (end !== 'came') {
      tell(`no code came: ${end}`);
      return end === 'unclear' ? 3 : 2;
    }
    // In the last moment a message has come after all.
    found = await waitForCode(gateway, ordered.id, { milliseconds: 1_000, afterRevision: -1 }, tell);
  }
  tell(await finishOrder(gateway, ordered.id));
  if (found === null) return 2;
  process.stdout.write(`${found.code}\n`);
  return 0;
}

/** For people; the code alone is for the next program. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
