import { once } from 'node:events';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { launchBrowser } from '../launch-browser.ts';
import { signIn } from '../sign-in.ts';
import { drawDemo, drawSetup } from './draw-ways.ts';
import { openShownWorld } from './open-shown-world.ts';
import { shownPages } from './shown-pages.ts';

/** npm run screenshots [-- NAME…]: draws the pages for the docs, in docs/images. With names, only those. */
const directory = join(import.meta.dirname, '../../../docs/images');
const names = process.argv.slice(2);
const phone = { width: 360, height: 780 };

const isAsked = (...some: string[]) => names.length === 0 || some.some((name) => names.includes(name));

await using cleanup = new AsyncDisposableStack();
const browser = await launchBrowser();
cleanup.defer(() => browser.close());
if (isAsked('setup')) await drawSetup(browser, drawPart);
if (isAsked('pull-request', 'review')) await drawDemo(browser, drawPart);
if (isAsked('welcome', ...shownPages.map(({ name }) => name))) await drawDashboard();

async function drawDashboard(): Promise<void> {
  await using world = await openShownWorld();
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 620 });
  await page.goto(world.url);
  if (isAsked('welcome')) await draw(page, 'welcome');
  await signIn(page, world.url);

  for (const { name, path, height, isMain = false, prepare } of shownPages) {
    if (!isAsked(name)) continue;
    await page.setViewportSize({ width: 1280, height });
    await page.goto(`${world.url}${path(world)}`);
    await prepare?.(page);
    // Colours may come a moment after the page.
    await page.locator('[data-late]').waitFor({ state: 'detached' });
    await draw(page, name);
    if (!isMain) continue;
    await page.emulateMedia({ colorScheme: 'dark' });
    await draw(page, `${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(phone);
    await draw(page, `${name}-phone`);
  }
}

async function draw(shown: Page, name: string): Promise<void> {
  await shown.evaluate('document.activeElement?.blur()');
  await shown.screenshot({ path: join(directory, `dashboard-${name}.png`) });
  await say(`docs/images/dashboard-${name}.png`);
}

/** From the first of the elements to the last, over the whole width. */
async function drawPart(shown: Page, name: string, parts: Locator[]): Promise<void> {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  const tops = boxes.map((box) => box?.y ?? 0);
  const ends = boxes.map((box) => (box ? box.y + box.height : 0));
  const margin = 8;
  const y = Math.max(0, Math.min(...tops) - margin);
  const clip = { x: 0, y, width: shown.viewportSize()?.width ?? 0, height: Math.max(...ends) + margin - y };
  await shown.screenshot({ path: join(directory, `${name}.png`), fullPage: true, clip });
  await say(`docs/images/${name}.png`);
}

async function say(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}
