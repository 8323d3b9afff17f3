import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { Clock } from '../kernel/clock.ts';

export type WebhookPost = {
  /** The status that the endpoint gave, or null where it could not be reached or did not answer in time. */
  send(url: string, body: string, signature: string | null, timeoutMs: number): Promise<number | null>;
  stop(): void;
};

/** Over real sockets. Redirects are not followed: a 3xx is an answer like any other. */
export function createWebhookPost(clock: Clock): WebhookPost {
  const plain = new Agent({ keepAlive: true });
  const secure = new SecureAgent({ keepAlive: true });

  function attempt(url: string, body: string, signature: string | null, timeoutMs: number): Promise<Attempt> {
    return new Promise((resolve) => {
      const isSecure = url.startsWith('https:');
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...(signature === null ? {} : { 'x-webhook-signature': signature }),
      };
      const options = { method: 'POST', headers };
      const request = isSecure
        ? httpsRequest(url, { ...options, agent: secure })
        : httpRequest(url, { ...options, agent: plain });
      const timer = clock.after(timeoutMs, () => request.destroy(new Error('no answer in time')));
      const settle = (status: number | null, stale: boolean): void => {
        timer.cancel();
        resolve({ status, stale });
      };
      request.once('response', (response) => {
        settle(response.statusCode ?? null, false);
        response.once('error', () => {});
        response.resume();
      });
      request.on('error', (error: NodeJS.ErrnoException) =>
        settle(null, request.reusedSocket && error.code === 'ECONNRESET'),
      );
      request.end(body);
    });
  }

  return {
    async send(url, body, signature, timeoutMs) {
      const first = await attempt(url, body, signature, timeoutMs);
      // The endpoint closed a kept connection just then: not its failure.
      const last = first.stale ? await attempt(url, body, signature, timeoutMs) : first;
      return last.status;
    },
    stop() {
      plain.destroy();
      secure.destroy();
    },
  };
}

type Attempt = { readonly status: number | null; readonly stale: boolean };
