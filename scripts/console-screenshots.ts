// Pictures of every page of the console, to be looked at: light and dark, wide, tablet and phone, and each language.
//   npm run build && npx tsx scripts/console-screenshots.ts [DIRECTORY]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { cheapest } from '../test/api/support/buying.ts';
import { startGateway, type TestGateway, until } from '../test/api/support/gateway.ts';
import { openBrowser, signIn, visit } from '../test/browser/support/browser.ts';
import { type Scene, setScene } from '../test/browser/support/scene.ts';

const directory = process.argv[2] ?? 'data/screenshots';
mkdirSync(directory, { recursive: true });

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  wide: { viewport: { width: 1440, height: 900 } },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  tablet: { viewport: { width: 820, height: 1180 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  'phone-dark': {
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    colorScheme: 'dark',
  },
  hindi: { viewport: { width: 1440, height: 900 }, locale: 'hi-IN' },
  'bengali-phone': { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale: 'bn-BD' },
};

const pages: Readonly<Record<string, (page: Page, url: string, scene: Scene) => Promise<void>>> = {
  numbers: async (page, url) => {
    await page.goto(`${url}/#/numbers`);
    await page.locator('.code').first().waitFor();
  },
  offer: async (page) => {
    await page.locator('[role=combobox]').first().fill('tele');
    await page.keyboard.press('Enter');
    await page.locator('.offer-row').first().click();
    await page.locator('.offer-form').scrollIntoViewIfNeeded();
  },
  combobox: async (page) => {
    await page.locator('[role=combobox]').nth(1).fill('in');
    await page.locator('[role=option]').first().waitFor();
  },
  confirm: async (page, url) => {
    await page.goto(`${url}/#/numbers`);
    await page.locator('[data-action=finish]:enabled').first().click();
  },
  orders: async (page, url) => {
    await page.goto(`${url}/#/orders`);
    await page.locator('tbody tr').first().waitFor();
  },
  order: async (page, url, scene) => {
    await page.goto(`${url}/#/orders/${scene.completed}`);
    await page.locator('.event').first().waitFor();
  },
  supplier: async (page, url) => {
    await page.goto(`${url}/#/supplier`);
    await page.locator('.bench-row').first().waitFor();
  },
  delivery: async (page, url, scene) => {
    await page.goto(`${url}/#/supplier/${scene.supplierOrder}`);
    await page
      .locator('textarea')
      .fill('third@example.com:three\n\nfirst@example.com:one\nfourth:4\nfifth:5\nsixth:6');
    await page.locator('[data-plan=overflow]').waitFor();
  },
  operations: async (page, url, scene) => {
    await page.goto(`${url}/#/operations`);
    await page.locator('.attempt-row', { hasText: scene.review }).click();
    await page.locator('.close-review').waitFor();
    await page.locator('.bar-row').first().waitFor();
  },
  evidence: async (page) => {
    await page.locator('.attempt-row[aria-expanded=true]').click();
    await page.locator('.attempt-row', { hasText: LOST }).click();
    await page.locator('.close-review input[type=radio]').last().check();
    await page.locator('.close-review input[type=checkbox]').first().check();
    await page.locator('.close-review button[type=submit]').click();
  },
  sandbox: async (page, url) => {
    await page.goto(`${url}/#/numbers`);
    await page.locator('.nav-sandbox button').click();
    await page.locator('.sandbox-form select').first().waitFor();
  },
};

/** The job whose orders were made and charged, and whose answer was lost: its review has evidence to show. */
const LOST = 'checkout-lost';

async function loseAnswer(gateway: TestGateway): Promise<void> {
  const match = { path: '/v1/orders/create' };
  await gateway.control('faults', { kind: 'status', status: 500, effect: true, match });
  const input = {
    businessJobId: LOST,
    catalogProductId: await cheapest(gateway),
    quantity: 3,
    reviewThresholdAt: new Date(Date.now() + 1_900).toISOString(),
  };
  await gateway.ask('mutation ($input: CreateOrderInput!) { createOrder(input: $input) { __typename } }', {
    input,
  });
  const query = `{ createAttempt(businessJobId: "${LOST}") { state } }`;
  const state = async () => (await gateway.ask(query)).body.data.createAttempt.state;
  await until('it is held for a person', async () => (await state()) === 'OPERATOR_REVIEW', 10_000);
}

const gateway = await startGateway();
const browser = await openBrowser();
try {
  const scene = await setScene(gateway);
  await loseAnswer(gateway);
  for (const [look, options] of Object.entries(looks)) {
    const { page, context, wrong } = await visit(browser, gateway.url, options);
    const keep = async (name: string): Promise<void> => {
      // In a picture of the whole page, what sticks to the window stands where the window is.
      await page.evaluate('scrollTo(0, 0)');
      // Let whatever glows or is being read come to rest.
      await page.waitForTimeout(700);
      await page.screenshot({ path: join(directory, `${name}.${look}.png`), fullPage: name !== 'sandbox' });
    };
    await page.locator('input[type=password]').waitFor();
    await keep('sign-in');
    await signIn(page);
    for (const [name, open] of Object.entries(pages)) {
      await open(page, gateway.url, scene);
      await keep(name);
    }
    for (const line of wrong) console.error(`${look}: ${line}`);
    await context.close();
  }
} finally {
  await browser.close();
  await gateway.close();
}
console.log(directory);
