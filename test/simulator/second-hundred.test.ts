import { describeHistories } from './describe-histories.ts';

describeHistories({ from: 101, count: 100 });
