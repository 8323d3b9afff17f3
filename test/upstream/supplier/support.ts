import { onTestFinished } from 'vitest';
import { parseSupplierOrderId, type SupplierOrderId } from '../../../src/domain/ids.ts';
import { type Instant, instant } from '../../../src/domain/time.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { SupplierSlots } from '../../../src/ports/store/supplier.ts';
import type { SupplierApi, SupplierOrderQuery } from '../../../src/ports/supplier-api.ts';
import { systemClock } from '../../../src/system-clock.ts';
import { systemRandom } from '../../../src/system-random.ts';
import { createHttp, type HttpCall, type HttpResult } from '../../../src/upstream/http.ts';
import { createSupplierApi } from '../../../src/upstream/supplier/client.ts';
import type { CountedCall } from '../support/fake-upstream.ts';
import { countingRandom, keptLog, type LogLine, type SteppedClock, steppedClock } from '../support/parts.ts';

const KEY = 'sandbox-key';

export const anyOrder: SupplierOrderQuery = {
  statuses: null,
  paymentStatuses: null,
  productTypes: null,
  entityType: null,
  subCategory: null,
  createdFrom: null,
  createdTo: null,
};

export interface MemorySlots extends SupplierSlots {
  /** Places taken and not given back. */
  readonly held: () => number;
  /** How often it was asked. */
  readonly asked: () => number;
}

/** The port in memory. Of a place it says when the first lease runs out: a client that only waited would wait long. */
export function memorySlots(clock: Clock): MemorySlots {
  const ends = new Map<string, number>();
  let lastUpdateAt = Number.NEGATIVE_INFINITY;
  let asked = 0;
  return {
    held: () => ends.size,
    asked: () => asked,
    async take(token, { places, isUpdate, spacingMs, leaseMs }) {
      asked++;
      const now = clock.now();
      for (const [holder, end] of ends) if (end <= now) ends.delete(holder);
      if (ends.size >= places) return { kind: 'wait', milliseconds: Math.min(...ends.values()) - now };
      if (isUpdate && now < lastUpdateAt + spacingMs) {
        return { kind: 'wait', milliseconds: lastUpdateAt + spacingMs - now };
      }
      ends.set(token, now + leaseMs);
      if (isUpdate) lastUpdateAt = now;
      return { kind: 'granted' };
    },
    async giveBack(token) {
      ends.delete(token);
    },
  };
}

export interface FakeSupplier {
  readonly api: SupplierApi;
  readonly clock: SteppedClock;
  readonly slots: MemorySlots;
  readonly calls: readonly HttpCall[];
  readonly counted: readonly CountedCall[];
  readonly lines: readonly LogLine[];
}

/** The client over an HTTP of the test's making, in a time that moves only when the client sleeps or the test says so. */
export function fakeSupplier(
  answer: (call: HttpCall, number: number) => HttpResult,
  key = 'secret-key',
): FakeSupplier {
  const clock = steppedClock();
  const slots = memorySlots(clock);
  const calls: HttpCall[] = [];
  const counted: CountedCall[] = [];
  const { log, lines } = keptLog();
  const api = createSupplierApi({
    baseUrl: 'https://supplier.example/v2',
    key,
    http: {
      call: async (call) => {
        calls.push(call);
        return answer(call, calls.length);
      },
    },
    slots,
    clock,
    random: countingRandom(),
    log,
    metrics: { upstreamCall: (_side, operation, result) => counted.push({ operation, result }) },
  });
  return { api, clock, slots, calls, counted, lines };
}

/** The client over real sockets; its connections are closed with the test. */
export function openClient(
  baseUrl: string,
  options: { readonly clock?: Clock; readonly slots?: SupplierSlots; readonly key?: string } = {},
) {
  const clock = options.clock ?? systemClock;
  const { log, lines } = keptLog();
  const http = createHttp({ clock, random: systemRandom, log });
  onTestFinished(() => http.close());
  const slots = options.slots ?? memorySlots(clock);
  const api = createSupplierApi({
    baseUrl,
    key: options.key ?? KEY,
    http,
    slots,
    clock,
    random: systemRandom,
    log,
    metrics: { upstreamCall: () => {} },
  });
  return { api, lines };
}

/** The system's time, so many times faster: fifteen seconds are over in a moment. */
export function fastClock(factor: number): Clock {
  const startedAt = systemClock.now();
  return {
    now: (): Instant => instant(Math.floor(startedAt + (systemClock.now() - startedAt) * factor)),
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / factor, signal),
    after: (milliseconds, callback) => systemClock.after(milliseconds / factor, callback),
  };
}

export function supplierOrderId(value: unknown): SupplierOrderId {
  const id = parseSupplierOrderId(value);
  if (id === null) throw new Error('no supplier order id');
  return id;
}

/** Lets everything that is ready happen. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}
