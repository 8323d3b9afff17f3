export const DISK_FULL = 'the disk is full, says the simulator';

/** What the ports say of writes; reads go on while a disk is full. */
const WRITES = new Set([
  'prepare',
  'take',
  'settle',
  'close',
  'record',
  'noteSeen',
  'begin',
  'end',
  'insert',
  'apply',
  'beginPull',
  'endPull',
  'adoptFound',
  'setLease',
  'prepareDelivery',
  'takeDelivery',
  'settleDelivery',
  'giveBack',
]);

/** The same store, its writes refused as by a full disk as long as that is so. */
export function refusing<Port extends object>(port: Port, isFull: () => boolean): Port {
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value === 'object' && value !== null) return refusing(value, isFull);
      if (typeof value !== 'function' || !WRITES.has(String(key))) return value;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        if (isFull()) throw new Error(DISK_FULL);
        return Reflect.apply(value, target, args);
      };
    },
  });
}
