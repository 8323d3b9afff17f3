import { isRecord } from '../graph/fault.ts';

export type JobRequest =
  | {
      readonly kind: 'create';
      readonly catalogProductId: number;
      readonly quantity: number;
      readonly maxUnitPrice: number;
      readonly operatorId: number | null;
    }
  | { readonly kind: 'reactivate'; readonly orderId: string; readonly maxCost: number };

/** A paid request that a person has made: kept from the click on until its outcome has been seen. */
export interface Job {
  /** The businessJobId: one job is one charge, however often it is asked for. */
  readonly id: string;
  readonly caller: string;
  /** What it is about, for people. */
  readonly title: string;
  readonly request: JobRequest;
  /** From before the page was loaded anew: whether it ever arrived is not known. */
  readonly isKept: boolean;
}

/** A name that no other job has. Not crypto.randomUUID: browsers keep that from pages that come by plain http. */
export function newJobId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Reads what was written by an earlier load of the page; what is no job any more is left out. */
export function parseJobs(text: string | null, caller: string): readonly Job[] {
  let read: unknown;
  try {
    read = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(read)) return [];
  return read.flatMap((entry) => {
    const job = parseJob(entry);
    return job?.caller === caller ? [job] : [];
  });
}

function parseJob(read: unknown): Job | null {
  if (!isRecord(read)) return null;
  const { id, caller, title } = read;
  const request = parseRequest(read['request']);
  if (typeof id !== 'string' || typeof caller !== 'string' || typeof title !== 'string' || request === null)
    return null;
  return { id, caller, title, request, isKept: true };
}

function parseRequest(read: unknown): JobRequest | null {
  if (!isRecord(read)) return null;
  const { kind, catalogProductId, quantity, maxUnitPrice, operatorId, orderId, maxCost } = read;
  if (kind === 'reactivate') {
    return typeof orderId === 'string' && typeof maxCost === 'number' ? { kind, orderId, maxCost } : null;
  }
  if (kind !== 'create' || typeof catalogProductId !== 'number') return null;
  if (typeof quantity !== 'number' || typeof maxUnitPrice !== 'number') return null;
  return {
    kind,
    catalogProductId,
    quantity,
    maxUnitPrice,
    operatorId: typeof operatorId === 'number' ? operatorId : null,
  };
}
