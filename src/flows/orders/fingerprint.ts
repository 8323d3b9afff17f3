import { createHash } from 'node:crypto';

/** SHA-256 of endpoint, NUL and body, in hex: what an attempt's request is recognised by (smscode-v1.md, The durable attempt). */
export function fingerprint(endpoint: string, body: string): string {
  return createHash('sha256').update(`${endpoint}\0${body}`, 'utf8').digest('hex');
}
