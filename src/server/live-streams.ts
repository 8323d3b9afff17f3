import { GraphQLError } from 'graphql';
import type { Principal } from './auth.ts';
import type { GovernedStream } from './governed-stream.ts';
import type { KeyWatch } from './key-watch.ts';

/** The open SSE streams: ended with a coded error when their key is, and quietly when the server goes. */
export interface LiveStreams {
  add(principal: Principal, stream: GovernedStream): void;
  finishAll(): void;
}

export function createLiveStreams(watch: KeyWatch): LiveStreams {
  const open = new Set<GovernedStream>();
  let isFinished = false;
  return {
    add(principal, stream) {
      if (isFinished) {
        stream.finish();
        return;
      }
      open.add(stream);
      const unwatch = watch.watch(principal, () => stream.finish({ errors: [revoked()] }));
      stream.onEnd(() => {
        open.delete(stream);
        unwatch();
      });
    },
    finishAll() {
      isFinished = true;
      for (const stream of [...open]) stream.finish();
    },
  };
}

function revoked(): GraphQLError {
  return new GraphQLError('The key was revoked or has expired.', { extensions: { code: 'UNAUTHENTICATED' } });
}
