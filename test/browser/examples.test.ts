import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rentNumber } from '../../examples/playwright/rented-number.ts';
import { startGateway, type TestGateway, until } from '../api/support/gateway.ts';
import { openBrowser } from './support/browser.ts';

const project = join(import.meta.dirname, '../..');
let browser: Browser;
let gateway: TestGateway;
let page: Page;
let example = '';
let stopServing = (): void => undefined;

beforeAll(async () => {
  browser = await openBrowser();
  const port = await freePort();
  example = `http://127.0.0.1:${port}`;
  gateway = await startGateway({ CORS_ORIGINS: example });
  const child = spawn(process.execPath, ['--import', 'tsx', 'examples/browser-app/serve.ts'], {
    cwd: project,
    env: { PATH: process.env['PATH'], PAGE_PORT: String(port) },
    stdio: 'ignore',
  });
  stopServing = () => void child.kill();
  await until(
    'the page is served',
    () =>
      fetch(example).then(
        ({ ok }) => ok,
        () => false,
      ),
    30_000,
  );
  page = await browser.newPage();
});
afterAll(async () => {
  stopServing();
  await browser.close();
  await gateway.close();
});

it('examples/browser-app: orders from the page, shows the code as it comes, and finishes', async () => {
  await gateway.control('settings', { sms_delay_seconds: 0.5 });
  await page.goto(example);
  await page.getByLabel('Gateway').fill(gateway.graphql);
  await page.getByLabel('Key').fill(gateway.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('connected').waitFor();
  await page.getByLabel('What for').fill('whatsapp - indonesia');
  await page
    .getByRole('option', { name: /WhatsApp - Indonesia: 6650 rupiah/ })
    .waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Order one' }).click();

  await page.getByText('+62').waitFor();
  await page
    .locator('#code')
    .getByText(/^\d{4,8}$/)
    .waitFor();
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByText('COMPLETED').waitFor();
});

it('examples/browser-app: says that a key is not good, and does not try it for ever', async () => {
  await page.goto(example);
  await page.getByLabel('Gateway').fill(gateway.graphql);
  await page.getByLabel('Key').fill('sb_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('the key is not good').waitFor();
});

it('examples/playwright: a rented number carries a test through another app’s sign-up', async () => {
  await gateway.control('settings', { sms_delay_seconds: null });
  process.env['SWITCHBOARD_URL'] = gateway.graphql;
  process.env['SWITCHBOARD_KEY'] = gateway.key;
  const app = await serveSignUp();
  const rented = await rentNumber('sign-up/1', { catalogProductId: 6136, maxUnitPrice: 10_000 });
  try {
    await page.goto(app.url);
    await page.getByLabel('Phone number').fill(rented.phoneNumber);
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByLabel('Code').fill(await rented.code());
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Welcome').waitFor();
  } finally {
    await rented.end();
    app.server.close();
  }
  const { body } = await gateway.ask(
    '{ orders(filter: { businessJobId: "sign-up/1" }) { nodes { status } } }',
  );
  expect(body.data.orders.nodes).toEqual([{ status: 'COMPLETED' }]);
});

/** Somebody's app: sends a code to whatever number is typed in, and lets in who types the code. */
async function serveSignUp(): Promise<{ url: string; server: Server }> {
  const code = '482913';
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://app');
    if (pathname === '/send') await carry(searchParams.get('phone') ?? '', `${code} is your Example code.`);
    const text = searchParams.get('code') === code ? 'Welcome' : FORM;
    response.writeHead(200, { 'content-type': 'text/html' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { url: `http://127.0.0.1:${address instanceof Object ? address.port : 0}/`, server };
}

const FORM = `<title>Example</title>
<form action="/send"><label>Phone number <input name="phone"></label><button>Send the code</button></form>
<form action="/sign-up"><label>Code <input name="code"></label><button>Sign up</button></form>`;

/** Stands for the carriers between the app and the number. */
async function carry(phoneNumber: string, message: string): Promise<void> {
  const { body } = await gateway.ask(
    'query ($phone: String!) { orders(filter: { phoneNumber: $phone }) { nodes { id } } }',
    { phone: phoneNumber },
  );
  await gateway.control('sms', { order_id: Number(body.data.orders.nodes[0].id), message });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address instanceof Object ? address.port : 0));
    });
  });
}
