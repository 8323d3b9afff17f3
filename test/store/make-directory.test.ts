import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDirectory } from '../../src/store/make-directory.ts';

describe('a directory', () => {
  let place: string;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'directory-'));
  });
  afterEach(() => rmSync(place, { recursive: true }));

  it('is made with those above it, for its owner alone', () => {
    makeDirectory(join(place, 'a', 'b'));
    for (const made of ['a', 'a/b']) expect(statSync(join(place, made)).mode & 0o777).toBe(0o700);
  });

  it('is left as it is where it is there', () => {
    makeDirectory(place);
    expect(existsSync(place)).toBe(true);
  });

  it('is refused where a file is in its way', () => {
    writeFileSync(join(place, 'file'), '');
    expect(() => makeDirectory(join(place, 'file'))).toThrow(/EEXIST/);
    expect(() => makeDirectory(join(place, 'file', 'below'))).toThrow(/ENOTDIR/);
  });

  // Node's own way of making those above it goes round there for ever.
  it.runIf(existsSync('/proc/self'))('is refused where the system takes no new one', () => {
    expect(() => makeDirectory('/proc/none')).toThrow(/ENOENT/);
    expect(() => makeDirectory('/proc/none/below')).toThrow(/ENOENT/);
  });
});
