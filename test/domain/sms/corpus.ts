import { suggestCode } from '../../../src/domain/sms/suggest-code.ts';
import messages from '../../corpus/sms-messages.json' with { type: 'json' };

/** One invented message, with what a person would read out of it. */
export interface CorpusMessage {
  readonly language: string;
  /** Written before the reader was fitted to anything like it; what fails of these is counted, not mended. */
  readonly heldOut: boolean;
  readonly code: string | null;
  readonly message: string;
}

export const corpus: readonly CorpusMessage[] = messages;

export interface Tally {
  readonly messages: number;
  readonly withCode: number;
  /** Of those with a code: the code was read. */
  readonly read: number;
  /** Of those with a code: another one was read. */
  readonly misread: number;
  /** Of those without a code: one was read all the same. */
  readonly alarms: number;
  /** read / withCode. */
  readonly hitRate: number;
  /** Wrong answers (misread and alarms) among all answers, or alarms among the messages without: the greater of both. */
  readonly falseAlarmRate: number;
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

export function tally(chosen: readonly CorpusMessage[]): Tally {
  const answers = chosen.map(({ code, message }) => ({ code, answer: suggestCode(message) }));
  const withCode = answers.filter(({ code }) => code !== null);
  const read = withCode.filter(({ code, answer }) => answer === code).length;
  const misread = withCode.filter(({ code, answer }) => answer !== null && answer !== code).length;
  const alarms = answers.filter(({ code, answer }) => code === null && answer !== null).length;
  const wrong = share(misread + alarms, read + misread + alarms);
  return {
    messages: chosen.length,
    withCode: withCode.length,
    read,
    misread,
    alarms,
    hitRate: share(read, withCode.length),
    falseAlarmRate: Math.max(wrong, share(alarms, chosen.length - withCode.length)),
  };
}
