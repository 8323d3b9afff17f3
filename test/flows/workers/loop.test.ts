import { describe, expect, it } from 'vitest';
import { createInProcessWake } from '../../../src/wake/in-process.ts';
import { runWorker, type Worker } from '../../../src/workers/loop.ts';
import { countedMetrics } from '../../support/counted-metrics.ts';
import { createFakeClock, type FakeClock, settled } from '../../support/fake-clock.ts';
import { keptLog } from '../../support/kept-log.ts';
import { moment } from '../../support/values.ts';

type Round = (n: number, clock: FakeClock, signal: AbortSignal) => number | Promise<number>;

/** A worker whose rounds come to these, and when each began. */
function running(round: Round, wokenBy: Worker['wokenBy'] = [], apart = 0, leave?: Worker['leave']) {
  const clock = createFakeClock();
  const { log, lines } = keptLog();
  const { metrics, counts } = countedMetrics();
  const wake = createInProcessWake(() => undefined);
  const times: number[] = [];
  const worker = runWorker(
    { clock, log, metrics, wake },
    {
      name: 'test',
      wokenBy,
      apart,
      async round(signal) {
        times.push(clock.now() - moment(0));
        return round(times.length, clock, signal);
      },
      ...(leave === undefined ? {} : { leave }),
    },
  );
  return { clock, lines, counts, wake, times, worker };
}

describe('a worker', () => {
  it('begins at once, and waits as long as its rounds say', async () => {
    const { clock, times, worker } = running((n) => n * 1_000);
    await clock.pass(6_000);
    expect(times).toEqual([0, 1_000, 3_000, 6_000]);
    await worker.stop();
  });

  it('goes on at once when there is more to do', async () => {
    const { clock, times, worker } = running((n) => (n < 4 ? 0 : 1_000));
    await settled();
    expect(times).toEqual([0, 0, 0, 0]);
    await clock.pass(1_000);
    expect(times).toHaveLength(5);
    await worker.stop();
  });

  it('waits a minute at most', async () => {
    const { clock, times, worker } = running(() => Number.MAX_SAFE_INTEGER);
    await clock.pass(120_000);
    expect(times).toEqual([0, 60_000, 120_000]);
    await worker.stop();
  });

  it('is woken while it waits, and by its own keys alone', async () => {
    const { clock, times, wake, worker } = running(() => 60_000, ['inbox', 'attempts-due']);
    await clock.pass(500);
    wake.announce(['balance']);
    await clock.pass(500);
    wake.announce(['inbox']);
    await settled();
    wake.announce(['attempts-due']);
    await settled();
    expect(times).toEqual([0, 1_000, 1_000]);
    await worker.stop();
  });

  it('that is woken again and again keeps its rounds apart, and begins at once after a rest', async () => {
    const { clock, times, wake, worker } = running(() => 60_000, ['inbox'], 4);
    for (let at = 0; at < 10; at++) {
      wake.announce(['inbox']);
      await clock.pass(1);
    }
    expect(times).toEqual([0, 4, 8]);
    await clock.pass(500);
    expect(times).toEqual([0, 4, 8, 12]);
    wake.announce(['inbox']);
    await settled();
    expect(times).toEqual([0, 4, 8, 12, 510]);
    await worker.stop();
  });

  it('whose rounds are apart goes on at once all the same when there is more to do', async () => {
    const { times, worker } = running((n) => (n < 4 ? 0 : 60_000), [], 4);
    await settled();
    expect(times).toEqual([0, 0, 0, 0]);
    await worker.stop();
  });

  it('that is woken while it works works once more', async () => {
    const { clock, times, wake, worker } = running(
      async (n, time) => {
        if (n === 1) await time.sleep(2_000);
        return 60_000;
      },
      ['inbox'],
    );
    await clock.pass(1_000);
    wake.announce(['inbox']);
    wake.announce(['inbox']);
    await clock.pass(10_000);
    expect(times).toEqual([0, 2_000]);
    await worker.stop();
  });

  it('whose round fails tells so, and tries again in a second, though it is woken before', async () => {
    const { clock, times, lines, counts, wake, worker } = running(
      (n) => (n < 3 ? Promise.reject(new Error('the database is away')) : 60_000),
      ['inbox'],
    );
    await clock.pass(300);
    wake.announce(['inbox']);
    await clock.pass(5_000);
    expect(times).toEqual([0, 1_000, 2_000]);
    expect(counts.get('workerFailed test')).toBe(2);
    expect(lines.map(({ fields }) => fields['worker'])).toEqual(['test', 'test']);
    await worker.stop();
  });

  it('that throws on its own turn is no other', async () => {
    const { clock, times, worker } = running((n) => {
      if (n === 1) throw new Error('a bug');
      return 60_000;
    });
    await clock.pass(1_000);
    expect(times).toEqual([0, 1_000]);
    await worker.stop();
  });

  it.each([
    ['while it waits', 500],
    ['after a failure', 100],
  ])('stops at once %s, and starts no other round', async (why, wait) => {
    const { clock, times, worker } = running(() =>
      why === 'after a failure' ? Promise.reject(new Error('away')) : 60_000,
    );
    await clock.pass(wait);
    await worker.stop();
    await clock.pass(600_000);
    expect(times).toEqual([0]);
    expect(clock.timers()).toBe(0);
  });

  it('that is to stop lets the round under way end, and tells it', async () => {
    let seen: boolean | null = null;
    const { clock, times, worker } = running(async (_, time, signal) => {
      await time.sleep(5_000);
      seen = signal.aborted;
      return 0;
    });
    await clock.pass(1_000);
    let hasStopped = false;
    const stopping = worker.stop().then(() => {
      hasStopped = true;
    });
    await clock.pass(3_000);
    expect(hasStopped).toBe(false);
    await clock.pass(1_000);
    await stopping;
    expect([seen, times.length]).toEqual([true, 1]);
  });

  it('that has stopped is woken no more', async () => {
    const { times, wake, worker } = running(() => 60_000, ['inbox']);
    await settled();
    await worker.stop();
    wake.announce(['inbox']);
    await settled();
    expect(times).toEqual([0]);
  });

  it('leaves after its last round, and a stop does not fail where it cannot', async () => {
    const seen: string[] = [];
    const { clock, lines, worker } = running(
      async (_, time) => {
        await time.sleep(5_000);
        seen.push('round');
        return 0;
      },
      [],
      0,
      async () => {
        seen.push('leave');
        throw new Error('the database is away');
      },
    );
    await clock.pass(1_000);
    const stopping = worker.stop();
    await clock.pass(4_000);
    await stopping;
    expect(seen).toEqual(['round', 'leave']);
    expect(lines.map(({ message }) => message)).toEqual(['a worker could not leave']);
  });
});
