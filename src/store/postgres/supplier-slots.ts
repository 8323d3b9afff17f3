import { later } from '../../domain/time.ts';
import type { SlotGrant, SupplierSlots } from '../../ports/store/supplier.ts';
import type { Base } from './base.ts';
import { command, insertInto, statement, wholeNumber } from './statements.ts';
import { supplierSlots } from './supplier-tables.ts';
import { keep, leave } from './transaction.ts';

/** How soon to ask again for a place that others hold: a call at the supplier takes some tens of milliseconds. */
const ASK_AGAIN_AFTER = 20;

// All instances ask here one after the other.
const lockLastUpdate = statement(
  `select value from counters where name = 'supplier-update' for no key update`,
  ([value]) => wholeNumber(value),
);
const noteUpdate = command(`update counters set value = $1 where name = 'supplier-update'`);
const findTaken = statement('select token, lease_until from supplier_slots', ([token, until]) => ({
  token: String(token),
  leaseUntil: wholeNumber(until),
}));
const dropDead = command('delete from supplier_slots where lease_until <= $1');
const addSlot = insertInto(supplierSlots);
const dropSlot = command('delete from supplier_slots where token = $1');

export function createSupplierSlots({ database }: Base): SupplierSlots {
  return {
    take: (token, { places, isUpdate, spacingMs, leaseMs }) =>
      database.write<SlotGrant>(async (tx) => {
        const [[lastUpdate], slots, now] = await Promise.all([
          tx.rows(lockLastUpdate),
          tx.rows(findTaken),
          tx.now(),
        ]);
        if (lastUpdate === undefined) throw new Error('the time of the last update is gone');
        if (tx.mayBeKept && slots.some((slot) => slot.token === token)) return leave({ kind: 'granted' });
        const taken = slots.filter(({ leaseUntil }) => leaseUntil > now);
        if (taken.length >= places) return leave({ kind: 'wait', milliseconds: ASK_AGAIN_AFTER });
        const since = now - lastUpdate;
        // A clock set back must not hold updates up for as long as it was set back.
        if (isUpdate && since >= 0 && since < spacingMs) {
          return leave({ kind: 'wait', milliseconds: spacingMs - since });
        }
        tx.send(dropDead, [now]);
        if (isUpdate) tx.send(noteUpdate, [now]);
        tx.send(addSlot, addSlot.values([{ token, leaseUntil: later(now, leaseMs) }]));
        return keep(() => ({ kind: 'granted' }));
      }),
    giveBack: (token) =>
      database.write(async (tx) => {
        tx.send(dropSlot, [token]);
        return keep(() => undefined);
      }),
  };
}
