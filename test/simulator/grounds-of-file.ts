import { afterAll } from 'vitest';
import { createGrounds, type Grounds, type Land } from './ground.ts';

/** Grounds for the histories of one file, gone with its last test. To be called while tests are described. */
export function groundsOfFile(makeLand: () => Promise<Land>): Grounds {
  const grounds = createGrounds(makeLand);
  afterAll(() => grounds.leave());
  return grounds;
}
