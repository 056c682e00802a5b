import { once } from 'node:events';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../launch-browser.ts';
import { openShownWorld } from './open-shown-world.ts';
import { shownPages } from './shown-pages.ts';

/** npm run screenshots [-- NAME…]: draws the pages of the dashboard for the docs, in docs/images. With names, only those. */
const directory = join(import.meta.dirname, '../../../docs/images');
const names = process.argv.slice(2);
const phone = { width: 360, height: 780 };

await using cleanup = new AsyncDisposableStack();
const world = cleanup.use(await openShownWorld());
const browser = await launchBrowser();
cleanup.defer(() => browser.close());
const context = await browser.newContext({ reducedMotion: 'reduce' });
const page = await context.newPage();
await page.setViewportSize({ width: 1280, height: 620 });
await page.goto(world.url);
await draw(page, 'welcome');
await page.getByRole('link', { name: 'Sign in with GitHub' }).click();
await page.getByRole('button', { name: 'Authorize' }).click();
await page.getByRole('heading', { name: 'Projects' }).waitFor();

for (const { name, path, height, isMain = false, prepare } of shownPages) {
  if (names.length > 0 && !names.includes(name)) continue;
  await page.setViewportSize({ width: 1280, height });
  await page.goto(`${world.url}${path(world)}`);
  await prepare?.(page);
  await draw(page, name);
  if (!isMain) continue;
  await page.emulateMedia({ colorScheme: 'dark' });
  await draw(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(phone);
  await draw(page, `${name}-phone`);
}

async function draw(shown: Page, name: string): Promise<void> {
  await shown.evaluate('document.activeElement?.blur()');
  await shown.screenshot({ path: join(directory, `dashboard-${name}.png`) });
  if (!process.stdout.write(`docs/images/dashboard-${name}.png\n`)) await once(process.stdout, 'drain');
}
