import { inject } from 'vitest';

/** The address of a PostgreSQL for tests; null where none answers. */
export const findPostgres = (): string | null => inject('services').postgres;

export const findRedis = (): string | null => inject('services').redis;
