import { openGateway } from '../client.ts';
import { finishOrder, tryToGiveBack } from '../node-wait-for-code/end-order.ts';
import { orderNumber, type Wish } from '../node-wait-for-code/order-number.ts';
import { waitForCode, waitForNumber } from '../node-wait-for-code/wait.ts';

/** A phone number for one run of one test. */
export interface RentedNumber {
  readonly phoneNumber: string;
  /** The code of the next message that holds one. Fails when none has come in that time. */
  code(milliseconds?: number): Promise<string>;
  /** Finishes the order if a code came, and gives it back if not and if that is allowed already. */
  end(): Promise<void>;
}

/** `job` names this try of this test: the same name is the same number. */
export async function rentNumber(job: string, wish: Omit<Wish, 'businessJobId'>): Promise<RentedNumber> {
  const gateway = openGateway();
  const ordered = await orderNumber(gateway, { ...wish, businessJobId: job });
  if (ordered.kind !== 'ordered') {
    await gateway.close();
    throw new Error(`no number to test with: ${ordered.why}`);
  }
  const { id } = ordered;
  let seen = -1;

  return {
    phoneNumber: ordered.phoneNumber ?? (await waitForNumber(gateway, id)),
    async code(milliseconds = 120_000) {
      const found = await waitForCode(gateway, id, { milliseconds, afterRevision: seen });
      if (found === null) throw new Error(`no code came in ${milliseconds / 1_000} seconds`);
      seen = found.revision;
      return found.code;
    },
    async end() {
      await (seen >= 0 ? finishOrder(gateway, id) : tryToGiveBack(gateway, id));
      await gateway.close();
    },
  };
}
