import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { answer, type Exchange } from './exchange.ts';

const compress = promisify(gzip);

/** A file of a page of ours, as it is and compressed. */
export interface Asset {
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

export async function toAsset(content: string | Buffer): Promise<Asset> {
  return { plain: Buffer.from(content), zipped: await compress(content) };
}

/** For files whose address changes with their content. */
export const KEPT_FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };

export function sendAsset(exchange: Exchange, asset: Asset, headers: Readonly<Record<string, string>>): void {
  const isZipped = /\bgzip\b/.test(String(exchange.request.headers['accept-encoding'] ?? ''));
  answer(exchange, 200, isZipped ? asset.zipped : asset.plain, {
    vary: 'Accept-Encoding',
    ...headers,
    ...(isZipped && { 'content-encoding': 'gzip' }),
  });
}
