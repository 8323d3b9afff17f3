import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../api/support/gateway.ts';
import { openBrowser, signIn, type Visit, visit } from './support/browser.ts';

let gateway: TestGateway;
let browser: Browser;
let key: string;
beforeAll(async () => {
  gateway = await startGateway();
  key = (await gateway.makeKey('desk', ['SUPPLIER'])).key;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await gateway?.close();
});

async function atTheDesk(): Promise<Visit> {
  const visited = await visit(browser, gateway.url);
  await signIn(visited.page, key);
  await visited.page.getByRole('heading', { name: 'Supplier desk' }).waitFor();
  return visited;
}

async function placed(quantity: number): Promise<string> {
  const answer = (await gateway.control('supplier-orders', { quantity })) as { readonly id: string };
  return answer.id;
}

test('overflow is refused before it is sent, then dropped on demand, over partial rounds', async () => {
  const { page, context, wrong } = await atTheDesk();
  const id = await placed(3);
  await page.getByRole('button', { name: 'Claim pending orders' }).click();
  await page.getByText('1 order claimed.').waitFor();
  await page.locator('.bench-row').filter({ hasText: id }).click();

  const lines = page.getByLabel('Lines, one each');
  const plan = (kind: string): Promise<string | null> => page.locator(`[data-plan=${kind}]`).textContent();
  await lines.fill('one:1\n\nONE:1\n');
  await expect.poll(() => plan('fresh').catch(() => null)).toBe('1');
  expect(await plan('duplicate')).toBe('1');
  expect(await plan('overflow')).toBe('0');
  await page.getByText('2 lines still owed after this.').waitFor();
  await page.getByRole('button', { name: 'Deliver 1 line', exact: true }).click();
  await page.getByText('Taken: 1 line stored.').waitFor();
  expect(await lines.inputValue()).toBe('');

  await lines.fill('two:2\nthree:3\nfour:4');
  await expect.poll(() => plan('overflow').catch(() => null)).toBe('1');
  await page.getByText('Nothing is sent, because lines are over').waitFor();
  const send = page.getByRole('button', { name: 'Deliver 2 lines' });
  expect(await send.isDisabled()).toBe(true);
  expect(await delivered()).toEqual(['one:1']);

  await page.getByLabel('Send what fits').check();
  await page.getByText('The order is full after this.').waitFor();
  await send.click();
  await page.getByText('Taken: 2 lines stored.').waitFor();
  await page.locator('.bench-order .card-head').getByText('Completed').waitFor();
  expect(await delivered()).toEqual(['one:1', 'two:2', 'three:3']);
  expect(await page.locator('.bench-order tbody tr').count()).toBe(2);
  expect(wrong).toEqual([]);
  await context.close();
});

test('claims made elsewhere appear by themselves, leases tick, and a dropped file fills the lines', async () => {
  const { page, context } = await atTheDesk();
  const id = await placed(2);
  await gateway.ask('mutation { pullSupplierOrders { id } }', {}, key);
  const row = page.locator('.bench-row').filter({ hasText: id });
  await row.waitFor();
  expect(await page.locator('[data-announcer]').textContent()).toContain(`Order ${id} was claimed`);
  await row.click();

  await page.getByRole('button', { name: 'Lease for 30 minutes' }).click();
  await expect.poll(() => page.locator('.lease p').textContent()).toMatch(/Leased: (30:00|29:5\d) left/);
  // Leased, the order is in no list: it is on the bench all the same, and after a reload, too.
  await page.reload();
  await signIn(page, key);
  await row.waitFor();
  await page.getByRole('button', { name: 'End the lease' }).click();
  await expect.poll(() => page.locator('.lease p').textContent()).toBe('Not leased');

  await page.locator('input[type=file]').setInputFiles({
    name: 'lines.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('from:file\nanother:line\n'),
  });
  await page.getByRole('button', { name: 'Deliver 2 lines' }).click();
  await page.getByText('Taken: 2 lines stored.').waitFor();
  await page.locator('input[type=file]').waitFor({ state: 'detached' });
  await context.close();
});

async function delivered(): Promise<readonly string[]> {
  const ledger = JSON.stringify(await gateway.control('ledger'));
  return [...ledger.matchAll(/"((?:one|two|three|four):\d)"/g)]
    .map(([, line]) => line ?? '')
    .filter((line, at, all) => all.indexOf(line) === at);
}
