import { describeHistories } from '../simulator/describe-histories.ts';

describeHistories({ from: 3_001, count: 1_100 });
