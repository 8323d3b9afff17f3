import { describeHistories } from '../simulator/describe-histories.ts';
import { simulate } from '../simulator/supplier/simulate.ts';

// Two files, for two workers.
describeHistories('supplying', simulate, { from: 1_001, count: 550 });
