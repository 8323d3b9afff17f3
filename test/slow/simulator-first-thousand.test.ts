import { describeHistories } from '../simulator/describe-histories.ts';

// Two files, for two workers.
describeHistories({ from: 1_001, count: 1_100 });
