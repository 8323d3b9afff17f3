import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';
import { openBrowser, visit } from './support/browser.ts';

let gateway: TestGateway;
let browser: Browser;
beforeAll(async () => {
  gateway = await startGateway();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await gateway?.close();
});

test('from the sign-in to the copied code without a pointer', async () => {
  const { page, context, wrong } = await visit(browser, gateway.url);
  await page.locator('input[type=password]').waitFor();
  await tabTo(page, 'input[type=password]');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('H1 Numbers');

  await page.locator('.offer-row').first().waitFor();
  await tabTo(page, '[role=combobox]');
  await page.keyboard.type('whats');
  await page.locator('[role=option][aria-selected=true]').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('+62');
  await expect
    .poll(() => page.locator('[role=option][aria-selected=true]').textContent())
    .toContain('Indonesia');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.offer-row').first().textContent()).toMatch(/WhatsApp.*Indonesia/);

  await tabTo(page, '.offer-row');
  await page.keyboard.press('Enter');
  await tabTo(page, '.offer-form input');
  await tabTo(page, '.offer-form button');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toMatch(/^H3 .*WhatsApp/);
  const id = await page.locator('[data-order]').getAttribute('data-order');
  await gateway.control('sms', { order_id: Number(id), message: 'WhatsApp code 135-790' });
  await page.locator('.code').waitFor();
  await tabTo(page, '.code');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('135790');

  await tabTo(page, '[data-action=finish]');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('BUTTON Leave it as it is');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Finished.').waitFor();
  expect(wrong).toEqual([]);
  await context.close();
});

test('the way past the navigation', async () => {
  const { page, context } = await visit(browser, gateway.url);
  await page.locator('input[type=password]').press('Enter');
  await page.locator('nav').waitFor();
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  expect(await focused(page)).toMatch(/^MAIN/);
  await context.close();
});

/** Presses Tab until the focus is there. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return;
  }
  throw new Error(`no Tab leads to ${selector}`);
}

function focused(page: Page): Promise<string> {
  return page.evaluate(
    'document.activeElement.tagName + " " + document.activeElement.textContent.slice(0, 60)',
  );
}
