import { listen } from './kernel/listen.ts';
import type { SideFactories } from './kernel/side.ts';
import { createWorld, type World, type WorldOptions } from './kernel/world.ts';
import { createBuyerSide } from './smscode/side.ts';
import type { WebhookStart } from './smscode/webhook-config.ts';
import { createSupplierSide } from './supplier/side.ts';

export type SandboxOptions = WorldOptions & {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: any free one. */
  readonly port: number;
  /** Where the buyer's events go at first, and what signs them: by default nowhere, and `sandbox-secret`. */
  readonly webhook?: WebhookStart;
  /** About how often a buyer places a supplier order by himself; null, the default: only the control call makes orders. */
  readonly supplierOrderEverySeconds?: number | null;
};

export type Sandbox = {
  /** Such as `http://127.0.0.1:4010`, without a slash at the end. */
  readonly origin: string;
  readonly world: World;
  close(): Promise<void>;
};

/** Both upstreams, simulated, behind one loopback server: /v1, /api/admin/v2, and /_sandbox to steer them. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const sides: SideFactories = {
    buyer: (context) => createBuyerSide(context, { webhook: options.webhook }),
    supplier: (context) =>
      createSupplierSide(context, { orderEverySeconds: options.supplierOrderEverySeconds ?? null }),
  };
  const world = createWorld(options, sides);
  const server = await listen(world, options.host ?? '127.0.0.1', options.port);
  return {
    origin: server.origin,
    world,
    async close() {
      await server.close();
      world.close();
    },
  };
}
