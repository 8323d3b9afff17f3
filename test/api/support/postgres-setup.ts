import type { TestProject } from 'vitest/node';
import { setup as findServices } from '../../support/services-setup.ts';

/** The api tests on PostgreSQL are asked for by name: without one, none of them may pass. */
export async function setup(project: TestProject): Promise<void> {
  await findServices(project);
  if (project.getProvidedContext().services.postgres === null) throw new Error('these tests need PostgreSQL');
}
