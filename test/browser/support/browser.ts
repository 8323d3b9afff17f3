import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Debian's Chromium, without a window. Rejects, with what to do, where it is not installed. */
export function openBrowser(): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) {
    throw new Error(`No browser at ${EXECUTABLE}: apt-get install chromium, or set CHROMIUM to another one.`);
  }
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong in the page so far: exceptions, refusals of the policy, requests that left the gateway. */
  readonly wrong: readonly string[];
}

/** A fresh visitor of the gateway at `url`. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Asia/Jakarta',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) wrong.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) wrong.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { context, page, wrong };
}

/** Signs in with a key, or the one that the sandbox has filled in. */
export async function signIn(page: Page, key?: string): Promise<void> {
  const field = page.locator('input[type=password]');
  if (key !== undefined) await field.fill(key);
  await field.press('Enter');
  await page.locator('nav').waitFor();
}
