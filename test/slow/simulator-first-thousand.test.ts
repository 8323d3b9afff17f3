import { describeHistories } from '../simulator/describe-histories.ts';
import { simulate } from '../simulator/simulate.ts';

// Two files, for two workers.
describeHistories('buying', simulate, { from: 1_001, count: 1_100 });
