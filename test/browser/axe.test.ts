import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';
import { openBrowser, signIn, visit } from './support/browser.ts';
import { type Scene, setScene } from './support/scene.ts';

let gateway: TestGateway;
let browser: Browser;
let scene: Scene;
beforeAll(async () => {
  gateway = await startGateway();
  scene = await setScene(gateway);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await gateway?.close();
});

const looks: readonly [string, BrowserContextOptions][] = [
  ['light', { viewport: { width: 1280, height: 900 } }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
  ['in Hindi, on a tablet', { viewport: { width: 820, height: 1180 }, locale: 'hi-IN' }],
  ['in Bengali', { viewport: { width: 1280, height: 900 }, locale: 'bn-BD' }],
];

describe.each(looks)('%s', (_name, options) => {
  test('axe finds nothing on any page, and no page is wider than the screen', async () => {
    const { page, context, wrong } = await visit(browser, gateway.url, {
      ...options,
      // What fades in has not its colour yet.
      reducedMotion: 'reduce',
    });
    await page.locator('input[type=password]').waitFor();
    const found = [await judge(page, 'sign-in')];
    await signIn(page);

    await page.locator('.code').first().waitFor();
    await page.locator('.offer-row').first().click();
    found.push(await judge(page, 'numbers'));
    await page.locator('[role=combobox]').first().click();
    await page.locator('[role=option]').first().waitFor();
    found.push(await judge(page, 'picking'));
    await page.keyboard.press('Escape');
    await page.locator('[data-action=finish]:enabled').first().click();
    found.push(await judge(page, 'confirming'));

    await page.goto(`${gateway.url}/#/orders`);
    await page.locator('tbody tr').first().waitFor();
    found.push(await judge(page, 'orders'));
    await page.goto(`${gateway.url}/#/orders/${scene.completed}`);
    await page.locator('.event').first().waitFor();
    found.push(await judge(page, 'order'));

    await page.goto(`${gateway.url}/#/supplier/${scene.supplierOrder}`);
    await page.locator('textarea').fill('a:1\n\nfirst@example.com:one\nb:2\nc:3');
    await page.locator('[data-plan=overflow]').waitFor();
    found.push(await judge(page, 'supplier'));

    await page.goto(`${gateway.url}/#/operations`);
    await page.locator('.attempt-row').first().click();
    await page.locator('.bar-row').first().waitFor();
    found.push(await judge(page, 'operations'));
    await page.locator('.close-review input[type=radio]').nth(1).check();
    await page
      .locator('.close-review input[type=checkbox]')
      .or(page.locator('.close-review .hint'))
      .first()
      .waitFor();
    found.push(await judge(page, 'closing a review'));
    await page.locator('.nav-sandbox button').click();
    await page.locator('.sandbox-form select').first().waitFor();
    found.push(await judge(page, 'sandbox'));

    expect(found.flat()).toEqual([]);
    expect(wrong).toEqual([]);
    await context.close();
  });
});

/** What is wrong with the page as it stands, in words. */
async function judge(page: Page, name: string): Promise<readonly string[]> {
  // A separate evaluation: the page's policy lets no script in by itself.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
  const wrong = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${name}: ${id}: ${html} ${failureSummary}`),
  );
  const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  return excess > 0 ? [...wrong, `${name}: ${excess} pixels too wide`] : wrong;
}
