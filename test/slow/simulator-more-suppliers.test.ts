import { describeHistories } from '../simulator/describe-histories.ts';
import { simulate } from '../simulator/supplier/simulate.ts';

describeHistories('supplying', simulate, { from: 1_551, count: 550 });
