import { type Language, localeOf } from './language.ts';

/** Numbers, money, times and names as the reader's language writes them. */
export interface Format {
  number(value: number): string;
  money(rupiah: number): string;
  percent(fraction: number): string;
  seconds(value: number): string;
  /** A day and a time. */
  date(iso: string): string;
  /** A day and a time with its seconds. */
  moment(iso: string): string;
  /** The time of the day, with seconds. */
  time(iso: string | number): string;
  /** "3 minutes ago", or the day where that is longer ago. */
  ago(iso: string, now: number): string;
  /** What is left, as 4:05 or 1:04:05. Never below zero. */
  countdown(milliseconds: number): string;
  /** The country's name in the reader's language. */
  country(code: string | null | undefined, otherwise: string): string;
  list(items: readonly string[]): string;
  readonly collator: Intl.Collator;
}

const MINUTE = 60_000;

export function createFormat(language: Language): Format {
  const locale = localeOf(language);
  const number = new Intl.NumberFormat(locale);
  const money = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'IDR',
    maximumFractionDigits: 0,
  });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const seconds = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'narrow',
    maximumFractionDigits: 1,
  });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' });
  const two = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 });
  const regions = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });

  return {
    number: (value) => number.format(value),
    money: (rupiah) => money.format(rupiah),
    percent: (fraction) => percent.format(fraction),
    seconds: (value) => seconds.format(value),
    date: (iso) => date.format(new Date(iso)),
    moment: (iso) => moment.format(new Date(iso)),
    time: (iso) => time.format(new Date(iso)),
    ago(iso, now) {
      const minutes = Math.round((Date.parse(iso) - now) / MINUTE);
      if (minutes > -60) return relative.format(Math.min(0, minutes), 'minute');
      return minutes > -24 * 60
        ? relative.format(Math.round(minutes / 60), 'hour')
        : date.format(new Date(iso));
    },
    countdown(milliseconds) {
      const left = Math.max(0, Math.ceil(milliseconds / 1000));
      const hours = Math.floor(left / 3600);
      const minutes = Math.floor((left % 3600) / 60);
      const end = two.format(left % 60);
      return hours > 0
        ? `${number.format(hours)}:${two.format(minutes)}:${end}`
        : `${number.format(minutes)}:${end}`;
    },
    country: (code, otherwise) => (code == null ? undefined : regions.of(code)) ?? otherwise,
    list: (items) => list.format(items),
    collator: new Intl.Collator(locale, { sensitivity: 'base' }),
  };
}
