import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Asset, KEPT_FOR_EVER, sendAsset, toAsset } from './asset.ts';
import { answerJson, type Route } from './exchange.ts';
import { readyKeyFor } from './ready-key.ts';

/** Below it, as the build writes them into its page. */
const ASSETS = '/console/assets';
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

/**
 * Nothing from elsewhere, nothing inline. An SMS is anybody's text: should one ever become markup, it could run nothing,
 * load nothing and send nothing away.
 */
const POLICY = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * The console's routes: the page at `/`, its files, and what it may know of the gateway before anybody has signed in.
 * Null where it was not built, as in a fresh clone.
 */
export function consoleRoutes(deps: {
  readonly directory: string;
  /** The ready key of sandbox mode on a loopback listener; null everywhere else. */
  readonly sandboxKey: string | null;
  readonly hasGraphiql: boolean;
}): readonly [path: string, route: Route][] | null {
  const { directory, sandboxKey, hasGraphiql } = deps;
  if (!existsSync(join(directory, 'index.html'))) return null;
  const page = fileRoute(join(directory, 'index.html'), {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    // Of a new version, the page names other files: it is asked for each time.
    'cache-control': 'no-cache',
  });
  const files = readdirSync(join(directory, 'assets')).flatMap((name): [string, Route][] => {
    const type = TYPES.get(extname(name));
    if (type === undefined) return [];
    const route = fileRoute(join(directory, 'assets', name), { 'content-type': type, ...KEPT_FOR_EVER });
    return [[`${ASSETS}/${name}`, route]];
  });
  const session: Route = {
    name: 'console',
    methods: ['GET'],
    handle(exchange) {
      const readyKey = readyKeyFor(exchange.request, sandboxKey);
      const mode = sandboxKey === null ? 'live' : 'sandbox';
      answerJson(exchange, 200, { mode, readyKey, graphiql: hasGraphiql });
      return Promise.resolve();
    },
  };
  return [['/', page], ...files, ['/console/session.json', session]];
}

function fileRoute(path: string, headers: Readonly<Record<string, string>>): Route {
  let asset: Asset | null = null;
  return {
    name: 'console',
    methods: ['GET', 'HEAD'],
    async handle(exchange) {
      // Read once: a build that is replaced under a running gateway must not mix with this one.
      asset ??= toAsset(readFileSync(path));
      await sendAsset(exchange, asset, headers);
    },
  };
}
