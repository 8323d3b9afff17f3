import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';
import { openBrowser, signIn, visit } from './support/browser.ts';
import { type Cord, layCord } from './support/cord.ts';
import { openNumber, orderCheapest } from './support/numbers.ts';

let gateway: TestGateway;
let cord: Cord;
let browser: Browser;
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
  cord = await layCord(gateway.app.port);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await cord?.close();
  await gateway?.close();
});

const say = (id: string, message: string): Promise<unknown> =>
  gateway.control('sms', { order_id: Number(id), message });

test('what arrives while the connection is broken is shown after it, once and in order', async () => {
  const { page, context, wrong } = await visit(browser, cord.url);
  await signIn(page);
  const line = page.locator('[data-line]');
  await expect.poll(() => line.getAttribute('data-line')).toBe('connected');
  const id = await orderCheapest(page);
  const card = openNumber(page, id);
  await say(id, 'first 1111');
  await card.getByText('first 1111').waitFor();

  cord.cut();
  await expect.poll(() => line.getAttribute('data-line')).toBe('reconnecting');
  expect(await line.textContent()).toContain('Reconnecting');
  expect(await card.getByText('first 1111').isVisible()).toBe(true);
  await say(id, 'second 2222');
  await say(id, 'third 3333');

  cord.join();
  await expect.poll(() => line.getAttribute('data-line'), { timeout: 20_000 }).toBe('resumed');
  expect(await line.textContent()).toContain('goes on where it broke off');
  await card.getByText('third 3333').waitFor();
  await card.getByText('2 earlier messages').click();
  const shown = await card.locator('blockquote').allTextContents();
  expect(shown).toEqual(['third 3333', 'second 2222', 'first 1111']);
  await expect.poll(() => line.getAttribute('data-line'), { timeout: 20_000 }).toBe('connected');

  await say(id, 'fourth 4444');
  await card.getByText('fourth 4444').waitFor();
  expect(wrong).toEqual([]);
  await context.close();
});

test('an order whose answer was lost is asked for again as the same job', async () => {
  const { page, context } = await visit(browser, cord.url);
  await signIn(page);
  await page.locator('.offer-row').first().click();
  const before = await count();
  // The request gets through; the connection breaks before its answer.
  await page.route('**/graphql', async (route) => {
    if (!(route.request().postData() ?? '').includes('createOrder')) return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.locator('.offer-form button').click();
  await page.getByText('It may have been ordered').waitFor();
  expect(await count()).toBe(before + 1);
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Ask again' }).click();
  await expect.poll(() => page.locator('.job').count()).toBe(0);
  expect(await count()).toBe(before + 1);
  await context.close();
});

test('a job survives a reload: what arrived is shown, what never did is put to the person', async () => {
  const { page, context } = await visit(browser, cord.url);
  await page.getByLabel('Keep it in this tab').check();
  await signIn(page);
  await page.locator('.offer-row').first().click();
  const before = await count();
  await page.route('**/graphql', (route) =>
    (route.request().postData() ?? '').includes('createOrder') ? route.abort('failed') : route.fallback(),
  );
  await page.locator('.offer-form button').click();
  await page.getByText('It may have been ordered').waitFor();
  await page.unroute('**/graphql');
  await page.reload();
  await page.getByText('it never arrived').waitFor();
  expect(await count()).toBe(before);
  await page.getByRole('button', { name: 'Order it now' }).click();
  await expect.poll(count).toBe(before + 1);
  await expect.poll(() => page.locator('.job').count()).toBe(0);
  await context.close();
});

async function count(): Promise<number> {
  const { body } = await gateway.ask('{ orders(first: 1) { totalCount } }');
  return body.data.orders.totalCount;
}
