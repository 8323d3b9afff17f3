import { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { SupplierOrder } from '../../domain/supplier/order.ts';
import { later, latest } from '../../domain/time.ts';
import type { Cipher } from '../../ports/cipher.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Found, SupplierStore } from '../../ports/store/supplier.ts';
import { rowReader } from '../bad-row.ts';
import { mayAdopt, type OpenPull } from '../claim-steps.ts';
import { supplierOrderFrom } from '../rows/supplier-order.ts';
import type { AuditBook } from './audit.ts';
import type { Base } from './base.ts';
import { createDeliveries } from './supplier-deliveries.ts';
import { createSupplierOrderBook } from './supplier-order-book.ts';
import { supplierOrders, supplierPulls } from './supplier-tables.ts';
import { rowWriter } from './write-rows.ts';

export function createSupplierStore(
  base: Base,
  clock: Pick<Clock, 'now'>,
  cipher: Cipher,
  audit: AuditBook,
): SupplierStore {
  const { database, db, writer } = base;
  const book = createSupplierOrderBook(base);
  const addPull = rowWriter(database, supplierPulls, 'fail');
  const dropPull = db
    .delete(supplierPulls)
    .where(eq(supplierPulls.id, sql.placeholder('id')))
    .prepare();
  const dropOldPulls = db
    .delete(supplierPulls)
    .where(lt(supplierPulls.limitAt, sql.placeholder('now')))
    .prepare();
  const findPulls = db.select().from(supplierPulls).prepare();
  const behind = gt(supplierOrders.claimSequence, sql.placeholder('sequence'));
  const claims = (isOwn: boolean) =>
    db
      .select()
      .from(supplierOrders)
      .where(
        and(
          isNotNull(supplierOrders.claimSequence),
          behind,
          isOwn
            ? or(isNull(supplierOrders.claimedBy), eq(supplierOrders.claimedBy, sql.placeholder('caller')))
            : undefined,
        ),
      )
      .orderBy(asc(supplierOrders.claimSequence))
      .limit(sql.placeholder('limit'))
      .prepare();
  const claimsOfAll = claims(false);
  const claimsOfOne = claims(true);
  const findLastClaim = db
    .select({ sequence: supplierOrders.claimSequence })
    .from(supplierOrders)
    .where(isNotNull(supplierOrders.claimSequence))
    .orderBy(desc(supplierOrders.claimSequence))
    .limit(1)
    .prepare();
  const findToRenew = db
    .select()
    .from(supplierOrders)
    .where(
      and(
        sql`renew = 1`,
        isNotNull(supplierOrders.claimedAt),
        lt(supplierOrders.lastProcessTime, sql.placeholder('before')),
      ),
    )
    .orderBy(asc(supplierOrders.lastProcessTime))
    .limit(sql.placeholder('limit'))
    .prepare();
  const findClaimed = db
    .select({ claimedAt: supplierOrders.claimedAt, completedAt: supplierOrders.completedAt })
    .from(supplierOrders)
    .where(and(isNotNull(supplierOrders.claimedAt), gte(supplierOrders.claimedAt, sql.placeholder('since'))))
    .prepare();

  return {
    ...createDeliveries(base, clock, cipher, book, audit),
    async find(id) {
      return book.load(id);
    },
    async byIds(ids) {
      return book.loadMany(ids);
    },
    record: (snapshots, readAt) =>
      writer.write((unit) => snapshots.map((told) => book.merge(told, readAt, unit))),
    beginPull: ({ id }, limitMs, by) =>
      writer.write(({ now }) => {
        addPull({ id, startedAt: now, limitAt: later(now, limitMs) });
        if (by !== null) audit.add(by, 'PULL_SUPPLIER_ORDERS', id, now);
      }),
    endPull: ({ id }, claimedBy, snapshots) =>
      writer.write((unit) => {
        dropPull.run({ id });
        const claimed: SupplierOrder[] = [];
        for (const told of snapshots) {
          const order = book.merge(told, unit.now, unit);
          if (order.claimedAt === null) claimed.push(book.claim(order, claimedBy, unit));
        }
        return claimed;
      }),
    adoptFound: (snapshots, readAt) =>
      writer.write((unit): Found => {
        const { now } = unit;
        dropOldPulls.run({ now });
        const pulls = findPulls.all().map(pullFrom);
        const adopted: SupplierOrder[] = [];
        let again: Found['again'] = null;
        for (const told of snapshots) {
          const order = book.merge(told, readAt, unit);
          const may = mayAdopt(order, pulls, now);
          if (may === true) adopted.push(book.claim(order, null, unit));
          else if (may !== false) again = again === null ? may : latest(again, may);
        }
        return { adopted, again };
      }),
    async claimsAfter(scope, sequence, limit) {
      const rows =
        scope.kind === 'all'
          ? claimsOfAll.all({ sequence, limit })
          : claimsOfOne.all({ sequence, limit, caller: scope.caller });
      return rows.map(supplierOrderFrom);
    },
    async lastClaimSequence() {
      return findLastClaim.get()?.sequence ?? 0;
    },
    setLease: (id, lastProcessTime, renew, by) =>
      writer.write((unit) => {
        const order = book.load(id);
        if (order === null) return null;
        const leased = { ...order, lastProcessTime, renew, asOf: unit.now };
        book.save(leased, unit);
        const act = lastProcessTime === null ? 'RELEASE_SUPPLIER_ORDER' : 'LEASE_SUPPLIER_ORDER';
        if (by !== null) audit.add(by, act, id, unit.now);
        return leased;
      }),
    async leasesToRenew(writtenBefore, limit) {
      return findToRenew.all({ before: writtenBefore, limit }).map(supplierOrderFrom);
    },
    async completionTimes(since) {
      const rows = findClaimed.all({ since });
      const seconds = rows.flatMap(({ claimedAt, completedAt }) =>
        claimedAt === null || completedAt === null ? [] : [(completedAt - claimedAt) / 1000],
      );
      return { claimed: rows.length, seconds };
    },
  };
}

function pullFrom(row: typeof supplierPulls.$inferSelect): OpenPull {
  const read = rowReader('supplier_pulls', row.id);
  return { startedAt: read.instant(row.startedAt), limitAt: read.instant(row.limitAt) };
}
