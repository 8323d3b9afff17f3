import { afterAll, describe, vi } from 'vitest';
import { crashesOfCancels } from './cancels.ts';
import { crashesOfCreates } from './creates.ts';
import { crashesOfDeliveries } from './deliveries.ts';
import { powerCuts } from './power-cuts.ts';
import { crashesOfPulls } from './pulls.ts';
import { crashesOfReactivations } from './reactivations.ts';
import { removeBundle } from './support/bundle.ts';
import { twoProcesses } from './two-processes.ts';
import { crashesOfWebhooks } from './webhooks.ts';

// Each test starts whole programs, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(removeBundle);

describe('a paid create', crashesOfCreates);
describe('a reactivation', crashesOfReactivations);
describe('a cancel', crashesOfCancels);
describe('a webhook', crashesOfWebhooks);
describe('a pull', crashesOfPulls);
describe('a delivery', crashesOfDeliveries);
describe('a power cut', powerCuts);
describe('two processes on one database', twoProcesses);
