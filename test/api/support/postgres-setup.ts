import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { dropOfRun } from '../../store/postgres/support/drop-of-run.ts';
import { setup as findServices } from '../../support/services-setup.ts';

/** The api's and flows' tests on PostgreSQL are asked for by name: without one, none of them may pass. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await findServices(project);
  const { postgres } = project.getProvidedContext().services;
  if (postgres === null) throw new Error('these tests need PostgreSQL');
  const run = randomBytes(4).toString('hex');
  process.env['TEST_RUN'] = run;
  return () => dropOfRun(postgres, run);
}
