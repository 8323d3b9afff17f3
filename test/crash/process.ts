import { z } from 'zod';
import { startApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { createMovableClock } from './support/movable-clock.ts';
import { createTripwire } from './support/tripwire.ts';

// The real gateway in a process of its own, which can be killed at any step and started in another time. Its
// configuration is the environment; CRASH_AT names where it dies, CLOCK_AHEAD_MS how far ahead of the machine it lives.

const orderSchema = z.union([z.object({ arm: z.string() }), z.object({ skip: z.int() })]);

const parsed = parseConfig(process.env);
if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
const clock = createMovableClock(Number(process.env['CLOCK_AHEAD_MS'] ?? 0));
const tripwire = createTripwire(process.env['CRASH_AT'] ?? null);

process.on('message', (message) => {
  const order = orderSchema.parse(message);
  if ('arm' in order) tripwire.arm(order.arm);
  else clock.skip(order.skip);
  process.send?.({ done: true });
});
// Whoever started it is gone.
process.on('disconnect', () => process.exit(0));

const app = await startApp(parsed.config, { clock, wrap: tripwire.wrap });
process.send?.({ url: app.url });
