import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../harness/browser/launch-browser.ts';
import { signIn } from '../../../harness/browser/sign-in.ts';
import { steps } from '../../../local/model/script.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const [served, browser] = await Promise.all([openServedWorld(), launchBrowser()]);
served.world.github.setPermission(served.name, 'rita', 'maintain');
served.choices.push(
  { when: 'And the burst', script: () => ({ text: 'The burst is named already.' }) },
  {
    when: 'Raise the limit',
    script: steps([
      { text: 'I look at the page.', calls: [{ name: 'read_file', arguments: { path: 'limits.md' } }] },
      { calls: [{ name: 'write_file', arguments: { path: 'limits.md', content: '# Limits\n\n100 requests.\n' } }] },
      { calls: [{ name: 'finish', arguments: { title: 'Raise the limit', summary: 'It says 100 now.' } }] },
    ]),
  },
);
afterAll(async () => {
  await browser.close();
  await served[Symbol.asyncDispose]();
});

/** Fails when a page loads anything from another host than ours and GitHub's stand-in, or when a script fails. */
async function openPage({ javaScriptEnabled = true } = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ javaScriptEnabled });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') complaints.push(request.url());
  });
  return { page, complaints };
}

async function openProject(page: Page): Promise<void> {
  await signIn(page, served.service.url);
  await page.getByRole('link', { name: served.name, exact: true }).click();
}

test('a maintainer makes a key, sends an instruction, watches it, asks for more and archives the job', async () => {
  const { page, complaints } = await openPage();
  await openProject(page);
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('from the browser');
  await page.getByRole('combobox', { name: 'Expires' }).selectOption({ label: 'In 30 days' });
  await page.getByRole('button', { name: 'Create key' }).click();
  expect(await page.getByRole('status').textContent()).toMatch(/^pagewright_\w{38}$/);
  // The focus is on what the person just made.
  expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('status');
  await page.getByRole('row', { name: 'from the browser' }).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: 'from the browser' }).getByText('revoked').waitFor();

  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.getByRole('textbox', { name: 'What should readers find?' }).fill('Raise the limit.');
  await page.getByRole('button', { name: 'Create job' }).click();
  // Nothing reloads the page but the events.
  await page.getByText('Ready for review', { exact: true }).waitFor();
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText('100 requests.').waitFor();
  expect(await page.getByRole('link', { name: 'Pull request #1', exact: true }).getAttribute('href')).toContain(
    '/pull/1',
  );

  await page.getByRole('textbox', { name: 'Follow-up' }).fill('And the burst?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('textarea#prompt:focus').waitFor();
  await page.getByRole('region', { name: 'Conversation' }).getByText('The burst is named already.').last().waitFor();
  await page.getByText('Ready for review', { exact: true }).waitFor();
  await page.locator('#job-menu > summary').click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await page.getByText('Archived', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Unarchive' }).click();
  await page.getByText('Ready for review', { exact: true }).waitFor();
  await page.locator('#account > summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in with GitHub' }).waitFor();
  expect(complaints).toEqual([]);
});

test('all of it works without JavaScript', async () => {
  const { page, complaints } = await openPage({ javaScriptEnabled: false });
  await openProject(page);
  expect(await page.getByText('Ctrl+Enter sends').isVisible()).toBe(false);
  await page.getByRole('textbox', { name: 'What should readers find?' }).fill('Raise the limit, please.');
  await page.getByRole('button', { name: 'Create job' }).click();
  await expect
    .poll(
      async () => {
        await page.reload();
        return page.getByText('Ready for review', { exact: true }).count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  await page.getByRole('region', { name: 'Changes' }).getByText('100 requests.').waitFor();
  await page.locator('#job-menu > summary').click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('Archived', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
