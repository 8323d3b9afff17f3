import { SECOND } from '../domain/time.ts';
import { pooled } from '../flows/pooled.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Wake } from '../ports/wake.ts';
import type { Authenticator, Principal } from './auth.ts';

/** Another process may revoke a key without a wake reaching this one: five seconds are promised, two are kept. */
const LOOKS_EVERY = 2 * SECOND;
const LOOKUPS_AT_ONCE = 4;

/** Ends what a key holds open once that key may no longer be used. */
export interface KeyWatch {
  /** `onEnd` is called once, when the key was revoked or has expired. Returns what ends the watching. */
  watch(principal: Principal, onEnd: () => void): () => void;
  stop(): void;
}

export function createKeyWatch(deps: {
  readonly auth: Authenticator;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly log: Log;
}): KeyWatch {
  const { auth, clock, wake, log } = deps;
  const watched = new Map<string, { readonly principal: Principal; readonly listeners: Set<() => void> }>();
  let isStopped = false;
  let isLooking = false;
  let isAskedAgain = false;

  const lookAtAll = async (): Promise<void> => {
    if (isLooking) {
      isAskedAgain = true;
      return;
    }
    isLooking = true;
    do {
      isAskedAgain = false;
      await pooled([...watched.values()], LOOKUPS_AT_ONCE, async ({ principal, listeners }) => {
        if (await auth.isStillUsable(principal)) return;
        watched.delete(principal.keyHash);
        for (const onEnd of listeners) onEnd();
      }).catch((error: unknown) => {
        // A store that is away revokes nothing: streams go on, and are looked at again.
        log.error('the keys of open streams could not be looked at', {}, error);
      });
    } while (isAskedAgain && !isStopped);
    isLooking = false;
  };

  let cancel = (): void => undefined;
  const plan = (): void => {
    cancel = clock.after(LOOKS_EVERY, () => {
      void lookAtAll().finally(() => {
        if (!isStopped) plan();
      });
    });
  };
  plan();
  const unlisten = wake.listen(['keys'], () => {
    auth.forget();
    void lookAtAll();
  });

  return {
    watch(principal, onEnd) {
      const own = (): void => onEnd();
      const known = watched.get(principal.keyHash);
      if (known === undefined) watched.set(principal.keyHash, { principal, listeners: new Set([own]) });
      else known.listeners.add(own);
      return () => {
        const entry = watched.get(principal.keyHash);
        entry?.listeners.delete(own);
        if (entry?.listeners.size === 0) watched.delete(principal.keyHash);
      };
    },
    stop() {
      isStopped = true;
      cancel();
      unlisten();
    },
  };
}
