import type { Random } from '../kernel/random.ts';
import type { Language } from './catalog/countries.ts';
import { TEXTS } from './message-texts.ts';

export type Sms = { readonly message: string; readonly code: string | null };

/** What a platform sends: mostly in the country's language, else in English. */
export type Sender = { readonly platform: string; readonly language: Language };

const ENGLISH_SHARE = 0.25;
const LINK_ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export function codeSms(random: Random, sender: Sender): Sms {
  const code = random.text(random.pick([4, 5, 6, 6, 6, 6, 6, 8]), '0123456789');
  return { message: fill(random.pick(textsFor(random, sender).code), sender.platform, code), code };
}

export function linkSms(random: Random, sender: Sender): Sms {
  const link = `https://login.example/t/${random.text(8, LINK_ALPHABET)}`;
  return { message: fill(random.pick(textsFor(random, sender).link), sender.platform, link), code: null };
}

export function noticeSms(random: Random, sender: Sender): Sms {
  return { message: fill(random.pick(textsFor(random, sender).notice), sender.platform, ''), code: null };
}

/** The code that stands in a text: the first run of four to eight digits, a hyphen in their middle left out. */
export function findCode(message: string): string | null {
  const found = /(?<![\d-])(\d{3}-\d{3}|\d{4,8})(?![\d-])/.exec(message)?.[1];
  return found?.replace('-', '') ?? null;
}

function textsFor(random: Random, { language }: Sender): (typeof TEXTS)[Language] {
  return TEXTS[random.chance(ENGLISH_SHARE) ? 'en' : language];
}

function fill(text: string, platform: string, content: string): string {
  return text.replaceAll('{s}', platform).replaceAll('{c}', content).replaceAll('{u}', content);
}
