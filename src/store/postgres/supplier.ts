import { type Instant, later, latest } from '../../domain/time.ts';
import type { Cipher } from '../../ports/cipher.ts';
import type { Found, SupplierStore } from '../../ports/store/supplier.ts';
import { rowReader } from '../bad-row.ts';
import { mayAdopt, type OpenPull } from '../claim-steps.ts';
import { supplierOrderFrom } from '../rows/supplier-order.ts';
import type { KeptSupplierOrder } from '../supplier-merge.ts';
import { addAudit } from './audit.ts';
import type { Base } from './base.ts';
import { command, insertInto, select, statement, wholeNumber } from './statements.ts';
import { createDeliveries } from './supplier-deliveries.ts';
import { lockedSupplierOrders } from './supplier-orders.ts';
import { supplierOrders, supplierPulls } from './supplier-tables.ts';
import { keep, leave } from './transaction.ts';

const findMany = select(supplierOrders, 'where id = any($1::text[])');
const addPull = insertInto(supplierPulls, 'on conflict do nothing');
const findPull = select(supplierPulls, 'where id = $1');
const findPulls = select(supplierPulls, 'where limit_at >= $1');
const dropPull = statement('delete from supplier_pulls where id = $1 returning id', ([id]) => String(id));
// One that its own end is at is left to it: waited for, it would wait for the orders that this one holds.
const dropOldPulls = command(
  `delete from supplier_pulls where id in
     (select id from supplier_pulls where limit_at < $1 for update skip locked)`,
);
const findClaims = select(
  supplierOrders,
  `where claim_sequence is not null and claim_sequence > $1 and ($3::text is null or claimed_by is null or claimed_by = $3)
   order by claim_sequence limit $2`,
);
const findLastClaim = statement(
  `select claim_sequence from supplier_orders where claim_sequence is not null order by claim_sequence desc limit 1`,
  ([sequence]) => wholeNumber(sequence),
);
const findToRenew = select(
  supplierOrders,
  'where renew and claimed_at is not null and last_process_time < $1 order by last_process_time limit $2',
);
const findClaimed = statement(
  `select claimed_at, completed_at from supplier_orders where claimed_at is not null and claimed_at >= $1`,
  ([claimedAt, completedAt]) =>
    completedAt === null ? null : (wholeNumber(completedAt) - wholeNumber(claimedAt)) / 1000,
);

export function createSupplierStore(base: Base, cipher: Cipher): SupplierStore {
  const { database } = base;
  return {
    ...createDeliveries(base, cipher),
    async find(id) {
      const [row] = await database.read(findMany, [[id]]);
      return row === undefined ? null : supplierOrderFrom(row);
    },
    async byIds(ids) {
      return (await database.read(findMany, [ids])).map(supplierOrderFrom);
    },
    record: (snapshots, readAt) =>
      database.write(async (tx) => {
        const ids = snapshots.map(({ id }) => id);
        const [sheet, now] = await Promise.all([lockedSupplierOrders(tx, ids), tx.now()]);
        const merged = snapshots.map((told) => sheet.merge(told, readAt, now));
        sheet.write();
        return keep(() => merged);
      }),
    beginPull: ({ id }, limitMs, by) =>
      database.write<void>(async (tx) => {
        const [[known], now] = await Promise.all([tx.rows(findPull, [id]), tx.now()]);
        if (tx.mayBeKept && known !== undefined) return leave(undefined);
        tx.send(addPull, addPull.values([{ id, startedAt: now, limitAt: later(now, limitMs) }]));
        if (by !== null) addAudit(tx, by, 'PULL_SUPPLIER_ORDERS', id, now);
        return keep(() => undefined);
      }),
    endPull: ({ id }, owner, snapshots) =>
      database.write(async (tx) => {
        const ids = snapshots.map((told) => told.id);
        const [sheet, dropped, now] = await Promise.all([
          lockedSupplierOrders(tx, ids),
          tx.rows(dropPull, [id]),
          tx.now(),
        ]);
        if (tx.mayBeKept && dropped.length === 0) {
          // The pull went with the claims, in one commit: those of the orders that it names are its own.
          const known = snapshots.flatMap((told) => sheet.load(told.id) ?? []);
          return leave(known.filter((order) => order.claimedAt !== null && order.claimedBy === owner));
        }
        const merged = new Map(snapshots.map((told) => [told.id, sheet.merge(told, now, now)]));
        const wished = [...merged.values()].filter((order) => order.claimedAt === null);
        const claimed = await sheet.claim(wished, owner, now);
        sheet.write();
        return keep(() => claimed);
      }),
    adoptFound: (snapshots, readAt) =>
      database.write<Found>(async (tx) => {
        const ids = snapshots.map((told) => told.id);
        const [sheet, now] = await Promise.all([lockedSupplierOrders(tx, ids), tx.now()]);
        tx.send(dropOldPulls, [now]);
        const pulls = (await tx.rows(findPulls, [now])).map(pullFrom);
        const merged = new Map(snapshots.map((told) => [told.id, sheet.merge(told, readAt, now)]));
        const wished: KeptSupplierOrder[] = [];
        let again: Instant | null = null;
        for (const order of merged.values()) {
          const may = mayAdopt(order, pulls, now);
          if (may === true) wished.push(order);
          else if (may !== false) again = again === null ? may : latest(again, may);
        }
        const adopted = await sheet.claim(wished, null, now);
        sheet.write();
        return keep(() => ({ adopted, again }));
      }),
    async claimsAfter(scope, sequence, limit) {
      const owner = scope.kind === 'all' ? null : scope.caller;
      return (await database.read(findClaims, [sequence, limit, owner])).map(supplierOrderFrom);
    },
    async lastClaimSequence() {
      const [last] = await database.read(findLastClaim, []);
      return last ?? 0;
    },
    setLease: (id, lastProcessTime, renew, by) =>
      database.write(async (tx) => {
        const [sheet, now] = await Promise.all([lockedSupplierOrders(tx, [id]), tx.now()]);
        const order = sheet.load(id);
        if (order === null) return leave(null);
        const leased = { ...order, lastProcessTime, renew, asOf: now };
        sheet.save(leased);
        sheet.write();
        const act = lastProcessTime === null ? 'RELEASE_SUPPLIER_ORDER' : 'LEASE_SUPPLIER_ORDER';
        if (by !== null) addAudit(tx, by, act, id, now);
        return keep(() => leased);
      }),
    async leasesToRenew(writtenBefore, limit) {
      return (await database.read(findToRenew, [writtenBefore, limit])).map(supplierOrderFrom);
    },
    async completionTimes(since) {
      const times = await database.read(findClaimed, [since]);
      return { claimed: times.length, seconds: times.flatMap((time) => time ?? []) };
    },
  };
}

function pullFrom(row: typeof supplierPulls.$inferSelect): OpenPull {
  const read = rowReader('supplier_pulls', row.id);
  return { startedAt: read.instant(row.startedAt), limitAt: read.instant(row.limitAt) };
}
