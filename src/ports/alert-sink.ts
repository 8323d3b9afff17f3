import type { Alert } from '../domain/alert.ts';

/** Where alerts go besides the log. */
export interface AlertSink {
  /** True once the receiver has taken it (2xx). Never rejects. The alert's id is the message's id: a receiver can drop repeats. */
  tell(alert: Alert): Promise<boolean>;
}
