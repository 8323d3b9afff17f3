import { useSyncExternalStore } from 'react';
import { createWatched } from './watched.ts';

const SECOND = 1_000;
/** A Date header has whole seconds and travels a while: what is less than this is no difference. */
const TOLERANCE = 2 * SECOND;

let offset = 0;

/** The gateway's time in milliseconds: countdowns must not trust a clock that somebody set wrong. */
export function now(): number {
  return Date.now() + offset;
}

/** Compares this machine's clock with a Date header. */
export function calibrate(date: string | null): void {
  const told = Date.parse(date ?? '');
  if (Number.isNaN(told)) return;
  const difference = told + SECOND / 2 - Date.now();
  offset = Math.abs(difference) < TOLERANCE ? 0 : difference;
}

const ticks = createWatched(now());
let timer: number | undefined;
let watchers = 0;

function subscribe(listener: () => void): () => void {
  if (watchers++ === 0) {
    ticks.set(now());
    timer = window.setInterval(() => ticks.set(now()), SECOND);
  }
  const stop = ticks.subscribe(listener);
  return () => {
    stop();
    if (--watchers === 0) clearInterval(timer);
  };
}

/** The time, anew each second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, ticks.get);
}
