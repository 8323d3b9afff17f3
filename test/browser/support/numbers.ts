import type { Locator, Page } from 'playwright-core';

/** Orders the first offer shown and waits for its card; the order's id. */
export async function orderCheapest(page: Page): Promise<string> {
  const cards = page.locator('[data-order]');
  await page.locator('.offer-row').first().waitFor();
  const before = await idsOf(cards);
  await page.locator('.offer-row').first().click();
  await page.locator('.offer-form button').click();
  for (;;) {
    await page.waitForTimeout(20);
    const made = (await idsOf(cards)).find((id) => !before.includes(id));
    if (made !== undefined) return made;
  }
}

/** The card of an order. */
export function openNumber(page: Page, id: string): Locator {
  return page.locator(`[data-order="${id}"]`);
}

function idsOf(cards: Locator): Promise<string[]> {
  return cards.evaluateAll((found) => found.map((card) => card.getAttribute('data-order') ?? ''));
}
