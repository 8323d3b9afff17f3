import type { Product } from '../../domain/catalog/product.ts';
import type { CatalogProductId, ProductId } from '../../domain/ids.ts';

/** Every tier ever listed, as last seen: tells "sold out" from "never listed", and names what an old order was for. */
export interface SeenProducts {
  /** Inserts those not seen yet, and brings up to date those whose names or ids changed. Prices of known ones may stay old. */
  remember(products: readonly Product[]): Promise<void>;
  ofCatalogProduct(id: CatalogProductId): Promise<readonly Product[]>;
  byIds(ids: readonly ProductId[]): Promise<readonly Product[]>;
}
