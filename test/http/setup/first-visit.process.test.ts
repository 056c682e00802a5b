import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { launchBrowser } from '../../../harness/browser/launch-browser.ts';
import { spawnProcess } from '../../../harness/processes/spawn-process.ts';
import { finish, write } from '../../../harness/script-steps.ts';
import { startGitHub } from '../../../local/github/start-github.ts';
import { steps } from '../../../local/model/script.ts';
import { startModelServer } from '../../../local/model/start-model-server.ts';

/** A machine with Pagewright on it, and a GitHub that knows nothing of it. */
async function openNewWorld(cleanup: AsyncDisposableStack) {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-visit-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const github = cleanup.use(await startGitHub({ directory: join(directory, 'github') }));
  github.addUser('rita');
  await github.addRepository({ owner: 'rita', name: 'docs', files: { 'limits.md': '# Limits\n\n60.\n' } });
  const script = steps([
    write('limits.md', '# Limits\n\n100.\n'),
    finish('It says 100.', { title: 'Raise the limit' }),
  ]);
  const model = cleanup.use(await startModelServer({ script }));
  const cwd = join(directory, 'service');
  await mkdir(cwd);
  const service = cleanup.use(
    await spawnProcess({
      command: [process.execPath, resolve('src/main.ts')],
      cwd,
      environment: {
        PORT: '0',
        DATA_DIR: join(directory, 'data'),
        GITHUB_API_URL: github.apiUrl,
        GITHUB_URL: github.webUrl,
        OPENAI_API_KEY: 'sk-1',
        OPENAI_BASE_URL: model.url,
        OPENAI_MODEL: 'gpt-test',
      },
    }),
  );
  const link = await service.started(() =>
    service.lines.map((line) => /"url":"([^"]+token=[^"]+)"/.exec(line)?.[1]).find((found) => found !== undefined),
  );
  return link;
}

test('a person without a terminal registers the App, installs it, and merges the first pull request', async () => {
  await using cleanup = new AsyncDisposableStack();
  const link = await openNewWorld(cleanup);
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  const context = await browser.newContext();
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const goTo = (name: string) => page.getByRole('link', { name, exact: true }).click();
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

  await page.goto(new URL('/', link).href);
  await heading('Token required');
  await page.goto(link);
  await findNothing(page);
  await press('Set up Pagewright');
  await heading('Doctor');
  await findNothing(page);
  await press('Continue');
  await heading('Register the App');
  await findNothing(page);
  await press('Register on GitHub');
  await press('Create GitHub App');
  await heading('pagewright is registered');
  // At once: the service is still starting.
  await goTo('Open the dashboard');
  await heading('Sign in to continue');
  await page.goto(new URL('/setup', link).href);
  await goTo('Install on GitHub');
  await press('Install');
  await heading('pagewright is installed');
  await findNothing(page);
  await goTo('Open the dashboard');
  await goTo('Sign in with GitHub');
  await press('Authorize');
  await goTo('rita/docs');
  await page.getByRole('textbox', { name: 'What should readers find?' }).fill('The limit is 100.');
  await press('Create job');
  await page.getByText('Ready for review').first().waitFor();
  await goTo('Pull request #1');
  await press('Merge pull request');
  await page.getByText('Merged', { exact: true }).waitFor();
  await page.goto(new URL('/projects', link).href);
  await goTo('rita/docs');
  await page.getByText('Merged', { exact: true }).first().waitFor();
});

/** In both themes, and on a phone. */
async function findNothing(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
}
