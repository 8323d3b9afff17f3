import { randomFrom } from '../kernel/random.ts';
import type { Country } from './catalog/countries.ts';
import { codeSms, linkSms, noticeSms, type Sms } from './messages.ts';
import type { Order, PlannedSms } from './order.ts';
import type { BuyerSettings } from './settings.ts';

/** What happens to orders without anybody doing anything. All of it follows from the seed and the order's id. */
export type Planner = {
  phoneNumber(order: Order, inUse: (phoneNumber: string) => boolean): string;
  /** When a new order gets its number. */
  numberAt(order: Order): number;
  /** The SMS that follow on `from`, when the number is there or a resend was accepted. */
  sms(order: Order, from: number): PlannedSms[];
};

const SLOW_NUMBER_SHARE = 0.15;
const LINK_SHARE = 0.08;
const PAIR_SHARE = 0.08;

export function createPlanner(
  seed: number,
  countries: readonly Country[],
  settings: () => BuyerSettings,
): Planner {
  const byCode = new Map(countries.map((country) => [country.code, country]));

  return {
    phoneNumber(order, inUse) {
      const country = byCode.get(order.countryCode);
      if (country === undefined) throw new Error(`no country ${order.countryCode}`);
      const random = randomFrom(seed, 'number', order.id);
      for (;;) {
        const local = random.pick(country.ranges).replaceAll('#', () => random.text(1, '0123456789'));
        const phoneNumber = `+${country.dialCode}${local}`;
        if (!inUse(phoneNumber)) return phoneNumber;
      }
    },
    numberAt(order) {
      const delay = settings().number_delay_seconds;
      if (delay !== 'auto') return order.createdAt + delay * 1000;
      const random = randomFrom(seed, 'number-delay', order.id);
      return order.createdAt + (random.chance(SLOW_NUMBER_SHARE) ? random.integer(500, 1500) : 0);
    },
    sms(order, from) {
      const delay = settings().sms_delay_seconds;
      if (delay === null) return [];
      const random = randomFrom(seed, 'sms', order.id, order.resends);
      const sender = { platform: order.platform, language: byCode.get(order.countryCode)?.language ?? 'en' };
      const at = (due: number, sms: Sms): PlannedSms => ({ at: due, ...sms });
      if (delay !== 'auto') return [at(from + delay * 1000, codeSms(random, sender))];
      const due = from + random.integer(3000, 5500);
      if (random.chance(LINK_SHARE)) return [at(due, linkSms(random, sender))];
      const first = at(due, codeSms(random, sender));
      if (!random.chance(PAIR_SHARE)) return [first];
      const second = random.chance(0.5) ? noticeSms(random, sender) : codeSms(random, sender);
      return [first, at(due + random.integer(300, 1500), second)];
    },
  };
}
