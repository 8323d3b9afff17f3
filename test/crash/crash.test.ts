import { afterAll, describe, vi } from 'vitest';
import { crashesOfCancels } from './cancels.ts';
import { crashesOfCreates } from './creates.ts';
import { crashesOfDeliveries } from './deliveries.ts';
import { powerCuts } from './power-cuts.ts';
import { crashesOfPulls } from './pulls.ts';
import { crashesOfReactivations } from './reactivations.ts';
import { removeBundle } from './support/bundle.ts';
import { crashesOfWebhooks } from './webhooks.ts';

// Each test starts whole programs, on a machine that may be busy. test/slow/crash.test.ts takes every step there is, and two processes.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(removeBundle);

describe('a paid create', () => crashesOfCreates('main'));
describe('a reactivation', () => crashesOfReactivations('main'));
describe('a cancel', () => crashesOfCancels('main'));
describe('a webhook', () => crashesOfWebhooks('main'));
describe('a pull', () => crashesOfPulls('main'));
describe('a delivery', () => crashesOfDeliveries('main'));
describe('a power cut', powerCuts);
