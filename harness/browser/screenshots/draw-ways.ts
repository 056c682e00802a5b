import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { setUp } from '../../../src/http/setup/set-up.ts';
import { createLog } from '../../../src/log.ts';
import { spawnProcess } from '../../processes/spawn-process.ts';

/** Draws a part of a page under this name. */
export type Draw = (page: Page, name: string, part: Locator[]) => Promise<void>;

/** The pull request of the demo, and the review in it, as the stand-in for GitHub shows them. */
export async function drawDemo(browser: Browser, draw: Draw): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await openDirectory(cleanup);
  const demo = cleanup.use(
    await spawnProcess({
      command: [process.execPath, resolve(import.meta.dirname, '../../../local/demo.ts'), '--stay'],
      cwd: directory,
      environment: { TMPDIR: directory },
    }),
  );
  const url = await demo.started(() => demo.lines.map((line) => /Pull request {2}(\S+)/.exec(line)?.[1]).find(Boolean));
  const page = await openPage(browser, url, { width: 1000, height: 900 });
  await draw(page, 'pull-request', [page.locator('header'), page.locator('.box').first()]);
  const review = page.locator('.box', { hasText: 'requested changes' }).first();
  await draw(page, 'review', [review, page.locator('.box.thread').last()]);
  await page.context().close();
}

const publicUrl = 'https://pagewright.example.com';

/** The first page of a service without an App, on a machine where all is well. */
export async function drawSetup(browser: Browser, draw: Draw): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await openDirectory(cleanup);
  const stopping = new AbortController();
  const link = Promise.withResolvers<string>();
  const write = (line: string) => {
    const { port, url } = JSON.parse(line);
    link.resolve(String(url).replace(publicUrl, `http://127.0.0.1:${port}`));
  };
  const ended = setUp({
    settings: {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      github: { apiUrl: 'https://api.github.com', webUrl: 'https://github.com' },
    },
    publicUrl,
    convertManifest: async () => undefined,
    hideSecret: () => {},
    examine: async () => [
      { part: 'git', state: 'ok', detail: 'git version 2.47.3' },
      { part: 'database', state: 'ok', detail: 'the embedded PostgreSQL starts with the service' },
      { part: 'model', state: 'ok', detail: 'the model server at https://api.openai.com/v1 answers' },
    ],
    log: createLog({ level: 'info', redact: (line) => line, destination: { write } }),
    signal: stopping.signal,
  }).catch(() => {});
  cleanup.defer(async () => {
    stopping.abort(new Error('the pages are drawn'));
    await ended;
  });
  const page = await openPage(browser, await link.promise, { width: 900, height: 900 });
  await page.getByRole('button', { name: 'Set up Pagewright' }).click();
  await page.waitForLoadState();
  await draw(page, 'setup', [page.locator('header'), page.locator('main')]);
  await page.context().close();
}

async function openDirectory(cleanup: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-drawn-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return directory;
}

async function openPage(browser: Browser, url: string, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport, deviceScaleFactor: 1 });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}
