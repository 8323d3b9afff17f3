import { type ActionRejectionCode, cancelRejectionCodes } from '../../ports/numbers-api.ts';

/** Reads a stored rejection of a finish or resend back. @throws Error on one that such an action cannot have: a bug. */
export function actionCode(stored: string): ActionRejectionCode {
  const code = cancelRejectionCodes.find((known) => known === stored);
  if (code === undefined || code === 'CANCEL_TOO_EARLY')
    throw new Error('an action was stored with a code it cannot have');
  return code;
}
