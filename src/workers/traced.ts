import type { Tracer } from '../ports/tracer.ts';
import type { Worker } from './loop.ts';

/** Each round in a span of its own. */
export function traced(worker: Worker, tracer: Tracer): Worker {
  return {
    ...worker,
    round: (signal) => tracer.span(`worker ${worker.name}`, {}, () => worker.round(signal)),
  };
}
