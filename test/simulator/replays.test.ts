import { describeReplays } from './describe-replays.ts';
import { landInSqlite } from './land-in-sqlite.ts';

describeReplays(landInSqlite);
