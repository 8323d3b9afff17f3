import { abuse } from './abuse.ts';
import { creates } from './creates.ts';
import type { FaultCase } from './fault-case.ts';
import { storage } from './storage.ts';
import { streams } from './streams.ts';
import { transport } from './transport.ts';
import { webhooks } from './webhooks.ts';
import { work } from './work.ts';

/** Everything that is known to go wrong, by sections. */
export const sections: readonly { readonly title: string; readonly cases: readonly FaultCase[] }[] = [
  { title: 'A. A paid create, crash by crash', cases: creates },
  { title: 'B. The way to the upstreams', cases: transport },
  { title: 'C. Cancel, pull, lease and deliver', cases: work },
  { title: 'D. Webhooks', cases: webhooks },
  { title: 'E. Subscriptions', cases: streams },
  { title: 'F. Storage and time', cases: storage },
  { title: 'G. Abuse and security', cases: abuse },
];

export const allCases: readonly FaultCase[] = sections.flatMap(({ cases }) => cases);
