import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isLocal } from './client-address.ts';
import { answer, type Exchange } from './exchange.ts';

const compress = promisify(gzip);

/** A file of a page of ours. */
export interface Asset {
  readonly plain: Buffer;
  /** Compressed once, when first asked for. */
  zipped(): Promise<Buffer>;
}

export function toAsset(content: string | Buffer): Asset {
  const plain = Buffer.from(content);
  let zipping: Promise<Buffer> | null = null;
  return {
    plain,
    zipped() {
      zipping ??= compress(plain);
      return zipping;
    },
  };
}

/** For files whose address changes with their content. */
export const KEPT_FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };

export async function sendAsset(
  exchange: Exchange,
  asset: Asset,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { request } = exchange;
  // Within this machine even GraphiQL's nine million characters travel faster than they are compressed.
  const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) && !isLocal(request);
  answer(exchange, 200, isZipped ? await asset.zipped() : asset.plain, {
    vary: 'Accept-Encoding',
    ...headers,
    ...(isZipped && { 'content-encoding': 'gzip' }),
  });
}
