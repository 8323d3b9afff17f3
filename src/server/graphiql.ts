import { createHash, randomBytes } from 'node:crypto';
import { type Asset, KEPT_FOR_EVER, sendAsset, toAsset } from './asset.ts';
import { answer, type Exchange, type Route } from './exchange.ts';
import { graphiqlTabs } from './graphiql-tabs.ts';
import { readyKeyFor } from './ready-key.ts';

const SCRIPT_PATH = '/graphql/graphiql.js';
const STYLE_PATH = '/graphql/graphiql.css';
const START = 'YogaGraphiQL.renderYogaGraphiQL(';

/**
 * A tab of this GraphiQL that is pressed leaps away to where its drag animation left it, and the click misses it. Tabs
 * that stay where they are can be chosen; what is lost is seeing them dragged.
 */
const CLICKABLE_TABS = '.graphiql-tab { transform: none !important; }';

export interface GraphiqlPage {
  send(exchange: Exchange): Promise<void>;
  /** Its script and style, which never change under one address. */
  readonly assets: ReadonlyMap<string, Route>;
}

/**
 * GraphiQL from our own address: Yoga's ready page loads it from somebody else's. `key` is filled in only for a browser
 * on this machine that asked for this machine; null: for nobody. `exampleProduct` is what the create example orders.
 */
export function createGraphiqlPage(deps: {
  readonly key: string | null;
  readonly exampleProduct: () => Promise<number | null>;
}): GraphiqlPage {
  let loading: Promise<Assets> | null = null;
  const load = (): Promise<Assets> => {
    loading ??= loadAssets();
    return loading;
  };

  const assetRoute = (name: 'script' | 'style', type: string): Route => ({
    name: 'graphiql',
    methods: ['GET'],
    async handle(exchange) {
      await sendAsset(exchange, (await load())[name], {
        ...KEPT_FOR_EVER,
        'content-type': `${type}; charset=utf-8`,
      });
    },
  });

  return {
    async send(exchange) {
      const { version } = await load();
      const key = readyKeyFor(exchange.request, deps.key);
      const nonce = randomBytes(18).toString('base64');
      const options = {
        title: 'Switchboard',
        shouldPersistHeaders: false,
        ...graphiqlTabs(key, await deps.exampleProduct(), randomBytes(6).toString('hex')),
      };
      answer(exchange, 200, page(version, nonce, options), {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy(nonce),
      });
    },
    assets: new Map([
      [SCRIPT_PATH, assetRoute('script', 'text/javascript')],
      [STYLE_PATH, assetRoute('style', 'text/css')],
    ]),
  };
}

interface Assets {
  readonly script: Asset;
  readonly style: Asset;
  /** Changes with their content, so that browsers may keep them for ever. */
  readonly version: string;
}

/** Takes the package's one page of nine million characters apart, so that a browser loads them once. */
async function loadAssets(): Promise<Assets> {
  // Only when somebody opens it: it stays in memory.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const whole = renderGraphiQL({});
  const script = between(whole, '<script>', START, whole.indexOf('</noscript>'));
  const style = between(whole, '<style>', '</style>', 0);
  return {
    script: toAsset(script),
    style: toAsset(style),
    version: createHash('sha256').update(script).update(style).digest('hex').slice(0, 16),
  };
}

function between(text: string, opening: string, closing: string, from: number): string {
  const start = text.indexOf(opening, from) + opening.length;
  const end = text.lastIndexOf(closing);
  if (start < opening.length || end < start)
    throw new Error('the GraphiQL package has another page than expected');
  return text.slice(start, end);
}

function page(version: string, nonce: string, options: unknown): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Switchboard</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${STYLE_PATH}?v=${version}" />
    <style>${CLICKABLE_TABS}</style>
  </head>
  <body id="body" class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"></div>
    <script src="${SCRIPT_PATH}?v=${version}"></script>
    <script nonce="${nonce}">
      ${START}document.querySelector('#root'), ${scriptJson(options)});
    </script>
  </body>
</html>
`;
}

/** JSON that cannot end the script element it stands in. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Its editor writes style elements and starts workers from blobs; it loads nothing from elsewhere and calls nobody else. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    'worker-src blob:',
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
