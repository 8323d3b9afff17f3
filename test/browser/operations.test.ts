import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rupiah } from '../../src/domain/money.ts';
import { buy, CREATE, cheapest, ledgerOf } from '../api/support/buying.ts';
import { startGateway, type TestGateway, until } from '../api/support/gateway.ts';
import { openBrowser, signIn, visit } from './support/browser.ts';

let gateway: TestGateway;
let browser: Browser;
beforeAll(async () => {
  gateway = await startGateway({ POLL_INTERVAL_SECONDS: '0' });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await gateway?.close();
});

test('a review is closed as ordered, with the order that nobody accounted for', async () => {
  const { key } = await gateway.makeKey('shop');
  const made = await lostOrder('lost-answer', key);
  const { page, context, wrong } = await visit(browser, gateway.url);
  await signIn(page);
  await page.getByRole('link', { name: 'Operations' }).click();
  await page.getByRole('button', { name: 'lost-answer' }).click();
  await page.getByLabel('The orders exist').check();
  await page.getByLabel('How it was found out').fill('It stands in the provider’s list.');
  await page.getByRole('button', { name: 'Close it' }).click();
  await page.getByText('Name the orders.').waitFor();
  await page.getByRole('checkbox', { name: made }).check();
  expect(await page.getByLabel('The provider’s order numbers').inputValue()).toBe(made);
  await page.getByRole('button', { name: 'Close it' }).click();
  await page.getByText('Nothing waits for a person.').waitFor();
  const { body } = await gateway.ask(
    '{ createAttempt(businessJobId: "lost-answer") { state orders { id } } }',
    {},
    key,
  );
  expect(body.data.createAttempt).toEqual({ state: 'CLOSED', orders: [{ id: made }] });
  expect(wrong).toEqual([]);
  await context.close();
});

test('the provider’s webhook is connected, and tried, and what came of it is said', async () => {
  const { page, context, wrong } = await visit(browser, gateway.url);
  await signIn(page);
  await page.getByRole('link', { name: 'Operations' }).click();
  await page.getByText('The provider delivers events.').waitFor();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('Our endpoint answered 200, as the provider saw it.').waitFor();
  await page.getByLabel('Address').fill('http://somewhere.example/webhooks');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.locator('[role=alert], .notice-bad').first().waitFor();
  await page.getByLabel('Address').fill('https://elsewhere.example/webhooks/smscode');
  await page.getByRole('button', { name: 'Connect' }).click();
  await until('the provider has it', async () => {
    const { body } = await gateway.ask('{ upstreamWebhook { url } }');
    return body.data.upstreamWebhook.url === 'https://elsewhere.example/webhooks/smscode';
  });
  expect(wrong).toEqual([]);
  await context.close();
});

test('a budget is drawn as it is spent and held', async () => {
  const { key } = await gateway.makeKey('small', ['BUYER'], { budgetLimit: rupiah(50_000) });
  const [order] = await buy(gateway, await cheapest(gateway), 'of a budget', { key });
  const { page, context } = await visit(browser, gateway.url);
  await signIn(page, key);
  await page.getByRole('link', { name: 'Operations' }).click();
  const spent = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: 'IDR',
    maximumFractionDigits: 0,
  });
  const amount = spent.format(order?.amount ?? 0);
  await page.getByRole('img', { name: `${amount} spent` }).waitFor();
  const share = Number(await page.locator('.bar-spent').getAttribute('width'));
  expect(share).toBeCloseTo((100 * (order?.amount ?? 0)) / 50_000, 3);
  await context.close();
});

/** An order that was made and charged, of which the gateway was told nothing until its review was due. */
async function lostOrder(businessJobId: string, key: string): Promise<string> {
  await gateway.control('faults', {
    kind: 'status',
    status: 500,
    effect: true,
    match: { path: '/v1/orders/create' },
  });
  const input = {
    businessJobId,
    catalogProductId: await cheapest(gateway),
    reviewThresholdAt: new Date(Date.now() + 1_900).toISOString(),
  };
  await gateway.ask(CREATE, { input }, key);
  const state = async (): Promise<string> =>
    (
      await gateway.ask(
        'query ($job: String!) { createAttempt(businessJobId: $job) { state } }',
        { job: businessJobId },
        key,
      )
    ).body.data.createAttempt.state;
  await until('it is held for a person', async () => (await state()) === 'OPERATOR_REVIEW', 10_000);
  return String((await ledgerOf(gateway)).charges.at(-1)?.order_id);
}
