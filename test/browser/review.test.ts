import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';
import { openBrowser, signIn, visit } from './support/browser.ts';
import { setScene } from './support/scene.ts';

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

test('a review is closed with what was found out, and shows it in its history', async () => {
  const { review } = await setScene(gateway);
  const { page, context, wrong } = await visit(browser, gateway.url);
  await signIn(page);
  await page.getByRole('link', { name: 'Operations' }).click();
  await page.getByRole('button', { name: review }).click();
  await page.getByRole('button', { name: 'Close it' }).click();
  await page.getByText('Say how it was found out.').waitFor();
  expect(await stateOf(review)).toBe('OPERATOR_REVIEW');

  await page.getByLabel('How it was found out').fill('The provider’s list has no such order.');
  await page.getByRole('button', { name: 'Close it' }).click();
  await page.getByText('Nothing waits for a person.').waitFor();
  expect(await page.locator('[data-announcer]').textContent()).toContain(`The review of ${review} is closed`);
  expect(await stateOf(review)).toBe('CLOSED');

  await page.getByLabel('All', { exact: true }).check();
  await page.getByRole('button', { name: review }).click();
  await page.getByText('The provider’s list has no such order.').waitFor();
  expect(wrong).toEqual([]);
  await context.close();
});

test('a buyer sees the requests of its own and no way to close one', async () => {
  const { key } = await gateway.makeKey('shop', ['BUYER']);
  const { page, context } = await visit(browser, gateway.url);
  await signIn(page, key);
  await page.getByRole('link', { name: 'Operations' }).click();
  await page.getByText('Nothing waits for a person.').waitFor();
  expect(await page.getByText('Webhook of the provider').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Supplier desk' }).count()).toBe(0);
  await context.close();
});

async function stateOf(job: string): Promise<string> {
  const { body } = await gateway.ask(
    'query ($job: String!) { createAttempt(businessJobId: $job) { state } }',
    {
      job,
    },
  );
  return body.data.createAttempt.state;
}
