import type { ReactNode } from 'react';
import type { Fault } from '../graph/fault.ts';
import type { Texts } from '../texts/en.ts';
import { useSpeech } from '../texts/language-provider.tsx';
import { Notice } from './notice.tsx';

/** Why there is no answer, in words, and the way to ask again. Nothing where there is no fault. */
export function FaultNotice({
  fault,
  onRetry,
}: {
  readonly fault: Fault | null;
  readonly onRetry?: (() => void) | undefined;
}): ReactNode {
  const { t } = useSpeech();
  if (fault === null) return null;
  return (
    <Notice tone="bad" isNews>
      <p>{faultWords(fault, t)}</p>
      {onRetry !== undefined && (
        <button type="button" className="button button-quiet" onClick={onRetry}>
          {t.common.tryAgain}
        </button>
      )}
    </Notice>
  );
}

export function faultWords(fault: Fault, t: Texts): string {
  if (fault.kind === 'unreachable') return t.faults.unreachable;
  switch (fault.code) {
    case 'RATE_LIMITED':
    case 'FORBIDDEN':
    case 'NOT_FOUND':
    case 'UPSTREAM_NOT_CONFIGURED':
    case 'UPSTREAM_UNAUTHORIZED':
    case 'UPSTREAM_UNAVAILABLE':
    case 'UPSTREAM_MALFORMED':
      return t.faults[fault.code];
    case 'BAD_USER_INPUT':
      return `${t.faults.badInput(fault.field ?? '')} ${fault.message}`;
    case 'INTERNAL_SERVER_ERROR':
      return t.faults.internal(fault.requestId ?? '');
    default:
      return t.faults.other(fault.message);
  }
}
