import { describeHistories } from '../simulator/describe-histories.ts';
import { simulate } from '../simulator/simulate.ts';

describeHistories('buying', simulate, { from: 3_001, count: 1_100 });
