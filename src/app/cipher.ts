import { createSecretKey, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createAesCipher, createPlainCipher } from '../aes-cipher.ts';
import type { Config } from '../config.ts';
import type { Cipher } from '../ports/cipher.ts';
import { makeDirectory } from '../store/make-directory.ts';

/** Where files of this installation live: beside the SQLite file, or in ./data. */
export function dataDirectory(database: Config['database']): string {
  return database.kind === 'sqlite' ? dirname(database.file) : 'data';
}

/**
 * What keeps secrets unreadable at rest: ENCRYPTION_KEY, or where there is none a key made once and kept in a file for
 * its owner alone. Beside the data such a key protects a copy of the database, and not a stolen disk. Instances that
 * share a PostgreSQL share no file: without ENCRYPTION_KEY nothing is sealed there, and the start says so.
 *
 * @throws Error of the system's when the file cannot be read or made.
 */
export function openCipher({
  database,
  encryptionKeys,
}: Pick<Config, 'database' | 'encryptionKeys'>): Cipher {
  if (encryptionKeys.length > 0) return createAesCipher(encryptionKeys);
  if (database.kind === 'postgres') return createPlainCipher();
  const file = join(dataDirectory(database), 'encryption.key');
  makeDirectory(resolve(dirname(file)));
  try {
    // Exclusive: of several processes that start together one makes it, and the others read that one.
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== 32)
    throw new Error(`${file} holds no key of 32 bytes: restore it, or what it sealed cannot be read`);
  return createAesCipher([createSecretKey(key)]);
}
