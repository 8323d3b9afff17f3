import type { Alert, AlertKind } from '../../domain/alert.ts';
import type { Actor } from '../../domain/audit.ts';

/** Alerts are rows, so that a restart forgets none and several instances tell each once. */
export interface AlertStore {
  /** False when it is raised already. */
  raise(alert: {
    readonly kind: AlertKind;
    readonly subject: string;
    readonly message: string;
  }): Promise<boolean>;
  /** What was alerted about is over; the next raise is news again. False when it was not raised. */
  clear(kind: AlertKind, subject: string): Promise<boolean>;
  /** Takes alerts that are still to be told and due, each for `leaseMs` milliseconds: over all instances one teller at a time. */
  takeUntold(limit: number, leaseMs: number): Promise<readonly Alert[]>;
  /** Told: never taken again. */
  told(id: string): Promise<void>;
  /** Not told: due again after so many milliseconds. */
  tellLater(id: string, milliseconds: number): Promise<void>;
}

/** Small durable facts of this installation, by name. */
export interface Notebook {
  read(name: NoteName): Promise<string | null>;
  /** Audited: as CONNECT_WEBHOOK, of the address. */
  write(name: NoteName, value: string, by: Actor): Promise<void>;
}

/** `webhook-url`: where the provider was last told to deliver to. */
export type NoteName = 'webhook-url';
