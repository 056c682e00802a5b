import { once } from 'node:events';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Script } from '../../local/model/script.ts';
import { openEmbeddedDatabase } from '../embedded-database.ts';
import { startInWorld } from '../start-service.ts';
import { openWorld } from '../world.ts';
import { launchBrowser } from './launch-browser.ts';

/** npm run screenshots: draws the pages of the dashboard for the docs, in docs/images. */
const directory = join(import.meta.dirname, '../../docs/images');

const files = {
  'index.md': '# Acme\n\nWelcome to the Acme API.\n',
  'limits.md': '# Limits\n\nEach key may send 60 requests a minute.\n\nAbove that, wait a minute.\n',
  'errors.md':
    '# Errors\n\n| Status | Meaning |\n| --- | --- |\n| 401 | The key is wrong. |\n| 404 | There is no such page. |\n',
};
const limits =
  '# Limits\n\nEach key may send 100 requests a minute.\n\nAbove that, the API answers [429](errors.md).\n';
const errors = `${files['errors.md']}| 429 | Too many requests: wait for the seconds in \`Retry-After\`. |\n`;
const summary =
  'The limit is 100 requests a minute now.\n\n- `limits.md` says so, and links to the errors page.\n- `errors.md` has a row for status `429`.';

/** What the model does, by the instruction. */
const script: Script = ({ messages, turn }) => {
  const asked = messages.map(({ text }) => text).join('\n');
  if (asked.includes('quick start')) return new Promise(() => {});
  if (asked.includes('OAuth')) return { text: 'No page mentions OAuth, so there is nothing to correct.' };
  const step = [
    {
      text: 'I look for every place that names the limit.',
      calls: [{ name: 'read_file', arguments: { path: 'limits.md' } }],
    },
    {
      text: 'Two pages change: the limit, and the error that follows from it.',
      calls: [
        { name: 'write_file', arguments: { path: 'limits.md', content: limits } },
        { name: 'write_file', arguments: { path: 'errors.md', content: errors } },
      ],
    },
    {
      calls: [{ name: 'finish', arguments: { title: 'Document the limit of 100 requests a minute', summary } }],
    },
  ][turn];
  return step ?? { text: 'The burst is the same as before, so nothing has to change.' };
};

await using cleanup = new AsyncDisposableStack();
const world = cleanup.use(await openWorld({ script, openDatabase: openEmbeddedDatabase }));
const project = await world.addProject('acme', files);
world.github.setPermission(project.repository.fullName, 'rita', 'maintain');
const service = cleanup.use(await startInWorld({ ...world, ...project }));
const { caller } = service;
await caller.settled((await caller.create('Correct what the pages say about OAuth.')).id);
const { id } = await caller.create(
  'The rate limit is 100 requests a minute since version 4. Correct the limits page, and document status 429.',
);
await caller.settled(id);
await caller.create('Translate the quick start into French.');

const browser = await launchBrowser();
cleanup.defer(() => browser.close());
const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
const page = await context.newPage();
await page.goto(service.url);
await page.getByRole('link', { name: 'Sign in with GitHub' }).click();
await page.getByRole('button', { name: 'Authorize' }).click();
await page.getByRole('link', { name: project.repository.fullName }).click();
await draw(page, 'dashboard-jobs.png', 560);
await page.getByRole('link', { name: 'Document the limit' }).click();
await page.locator('details.turns > summary').click();
await draw(page, 'dashboard-job.png', 860);
await page.emulateMedia({ colorScheme: 'dark' });
await draw(page, 'dashboard-job-dark.png', 860);

async function draw(shown: Page, name: string, height: number): Promise<void> {
  await shown.setViewportSize({ width: 1280, height });
  const path = join(directory, name);
  await shown.screenshot({ path });
  if (!process.stdout.write(`docs/images/${name}\n`)) await once(process.stdout, 'drain');
}
