import { afterAll, describe } from 'vitest';
import { crashesOfCancels } from '../crash/cancels.ts';
import { crashesOfCreates } from '../crash/creates.ts';
import { crashesOfDeliveries } from '../crash/deliveries.ts';
import { floodOfWebhooks } from '../crash/flood.ts';
import { crashesOfPulls } from '../crash/pulls.ts';
import { crashesOfReactivations } from '../crash/reactivations.ts';
import { removeBundle } from '../crash/support/bundle.ts';
import { twoProcesses } from '../crash/two-processes.ts';
import { crashesOfWebhooks } from '../crash/webhooks.ts';

afterAll(removeBundle);

describe('a paid create', () => crashesOfCreates('every'));
describe('a reactivation', () => crashesOfReactivations('every'));
describe('a cancel', () => crashesOfCancels('every'));
describe('a webhook', () => crashesOfWebhooks('every'));
describe('a pull', () => crashesOfPulls('every'));
describe('a delivery', () => crashesOfDeliveries('every'));
describe('two processes on one database', twoProcesses);
describe('ten thousand webhooks for a thousand subscribers', () => floodOfWebhooks(1_000));
