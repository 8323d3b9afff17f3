import { writeFileSync } from 'node:fs';
import { faultsPage } from './faults/faults.ts';

writeFileSync(new URL('../docs/faults.md', import.meta.url), faultsPage());
