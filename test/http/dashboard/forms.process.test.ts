import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../harness/browser/launch-browser.ts';
import { signIn, signInHere } from '../../../harness/browser/sign-in.ts';
import { eventually } from '../../../harness/eventually.ts';
import { finish, perRun, write } from '../../../harness/script-steps.ts';
import { type Receiver, startReceiver } from '../../../harness/start-receiver.ts';
import { steps } from '../../../local/model/script.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

let served: Awaited<ReturnType<typeof openServedWorld>>;
let receiver: Receiver;
let browser: Browser;
beforeAll(async () => {
  const environment = { OPERATORS: 'rita', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };
  [served, receiver, browser] = await Promise.all([openServedWorld({ environment }), startReceiver(), launchBrowser()]);
  served.world.github.setPermission(served.name, 'rita', 'maintain');
  served.choices.push(
    { when: 'And the burst', script: () => ({ text: 'The burst is named already.' }) },
    {
      when: 'Raise the limit',
      script: steps([write('limits.md', '# Limits\n\n100 requests.\n'), finish('It says 100.', { title: 'Raise it' })]),
    },
    {
      when: 'Try twice',
      script: perRun([() => ({ fault: { kind: 'refusal' } }), () => ({ text: 'Nothing to change.' })]),
    },
    { when: 'wait', script: () => ({ fault: { kind: 'hang' } }) },
  );
});
afterAll(async () => {
  await browser.close();
  await receiver[Symbol.asyncDispose]();
  await served[Symbol.asyncDispose]();
});

async function openPage(options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await signIn(page, served.service.url);
  return page;
}

const project = () => `${served.service.url}/projects/${served.world.projectId}`;
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const openMenu = (page: Page, id: 'account' | 'job-menu') => page.locator(`#${id} > summary`).click();
/** With scripts, a question comes first. */
const stop = async (page: Page) => {
  await press(page, 'Cancel');
  await press(page, 'Stop');
};
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

describe('without scripts', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage({ javaScriptEnabled: false });
  });

  const untilStatus = (word: string) =>
    eventually(async () => {
      // Chromium refuses a reload in the middle of the navigation that a button began.
      await page.waitForLoadState();
      await page.reload();
      return (await page.locator('.status').allTextContents())[0] === word ? word : undefined;
    });
  async function createJob(instruction: string): Promise<void> {
    await page.goto(project());
    await page.getByRole('textbox', { name: 'What should readers find?' }).fill(instruction);
    await press(page, 'Create job');
  }

  test('a job is created, shown side by side, continued, archived and opened again', async () => {
    await createJob('Raise the limit.');
    await untilStatus('Ready for review');
    const changes = page.getByRole('region', { name: 'Changes' });
    const place = async (kind: string) => (await changes.locator(`.line.${kind}`).first().boundingBox())?.x ?? 0;
    expect(await place('add')).toBe(await place('delete'));
    await follow(page, 'Side by side');
    expect(await place('add')).toBeGreaterThan(await place('delete'));
    await follow(page, 'Unified');
    await page.getByRole('textbox', { name: 'Follow-up' }).fill('And the burst?');
    await press(page, 'Send');
    await eventually(async () => {
      await page.reload();
      return (await page.getByText('The burst is named already.').count()) > 0 || undefined;
    });
    await openMenu(page, 'job-menu');
    await press(page, 'Archive');
    await untilStatus('Archived');
    await press(page, 'Unarchive');
    await untilStatus('Ready for review');
  });

  test('a run is cancelled', async () => {
    await createJob('Please wait.');
    await press(page, 'Cancel');
    await untilStatus('Stopped');
  });

  test('a failed job is tried again', async () => {
    await createJob('Try twice.');
    await untilStatus('Failed');
    await press(page, 'Try again');
    await untilStatus('No change needed');
  });

  test('a list is filtered and leads to older jobs', async () => {
    await sql`insert into jobs (job_id, project_id, status, archived_at, base, model, draft)
      select 'job_000000000000000000000000' || lpad(place::text, 2, '0'), ${served.world.projectId}, 'archived', now(), 'main', 'gpt-test', false
      from generate_series(1, 26) as places (place)`.execute(served.world.database.database);
    await page.goto(project());
    await page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'Archived' }).click();
    expect(await page.getByRole('row').count()).toBe(26);
    await follow(page, 'Older');
    expect(await page.getByRole('row').count()).toBe(2);
  });

  test('a key is created and revoked', async () => {
    await page.goto(project());
    await follow(page, 'Keys');
    await page.getByRole('textbox', { name: 'Name' }).fill('night build');
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('In a year');
    await press(page, 'Create key');
    expect(await page.getByRole('status').textContent()).toMatch(/^pagewright_/);
    const row = page.getByRole('row', { name: 'night build' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    expect(await row.getByText('revoked').count()).toBe(1);
  });

  test('a webhook is added, tested, rotated and removed', async () => {
    await page.goto(project());
    await follow(page, 'Webhooks');
    await page.getByRole('textbox', { name: 'URL' }).fill(`http://${receiver.host}/hook`);
    await press(page, 'Add webhook');
    const secret = await page.getByRole('status').textContent();
    await press(page, 'Send test');
    await page.getByText('204', { exact: true }).waitFor();
    await press(page, 'Rotate secret');
    expect(await page.getByRole('status').textContent()).not.toBe(secret);
    await press(page, 'Remove');
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });

  test('usage is shown by model, and downloaded', async () => {
    await page.goto(project());
    await follow(page, 'Usage');
    await follow(page, 'Model');
    await page.getByRole('rowheader', { name: 'gpt-test' }).waitFor();
    const download = page.waitForEvent('download');
    await follow(page, 'Download CSV');
    expect((await download).suggestedFilename()).toBe('acme-docs-usage-by-model.csv');
  });

  test('an operator runs the doctor, asks for a missed delivery, and signs people out', async () => {
    const { database } = served.world.database;
    const dead = { delivery_id: 'dead-1', tries: 16, asked_at: new Date(), attempt_id: '7', failed_at: new Date() };
    await database.insertInto('redeliveries').values(dead).execute();
    await page.goto(served.service.url);
    await openMenu(page, 'account');
    await follow(page, 'Operator');
    await press(page, 'Run the doctor');
    await press(page, 'Run again');
    await page.getByRole('heading', { name: 'Doctor' }).waitFor();
    await openMenu(page, 'account');
    await follow(page, 'Operator');
    await page.getByRole('row', { name: 'dead-1' }).getByText('given up').waitFor();
    await press(page, 'Redeliver');
    expect(await page.getByText('given up').count()).toBe(0);
    await press(page, 'End sessions');
    await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
    await signInHere(page);
    await page.getByRole('heading', { name: 'Operator' }).waitFor();
    await openMenu(page, 'account');
    await press(page, 'Sign out');
    await page.getByRole('link', { name: 'Sign in with GitHub' }).waitFor();
  });
});

describe('what was typed', () => {
  const typed = 'A sentence that\n\ntook an hour.';
  const instruction = (page: Page) => page.getByRole('textbox', { name: 'What should readers find?' });
  const endSessions = () => served.world.database.database.deleteFrom('sessions').execute();

  test('outlives a reload, and a session that ended before it was sent', async () => {
    const page = await openPage();
    await page.goto(`${project()}/jobs/new`);
    await instruction(page).fill(typed);
    await page.reload();
    expect(await instruction(page).inputValue()).toBe(typed);
    await endSessions();
    await press(page, 'Create job');
    expect(await page.getByRole('textbox', { name: 'What you typed' }).inputValue()).toBe(typed);
    await signInHere(page);
    await page.getByRole('heading', { name: 'New job' }).waitFor();
    expect(await instruction(page).inputValue()).toBe(typed);
    await page.context().close();
  });

  test('stays on this side of a sign-out, and is forgotten when it was sent', async () => {
    const page = await openPage();
    await page.goto(`${project()}/jobs/new`);
    await instruction(page).fill(typed);
    await openMenu(page, 'account');
    await press(page, 'Sign out');
    await signInHere(page);
    await page.goto(`${project()}/jobs/new`);
    expect(await instruction(page).inputValue()).toBe('');
    await instruction(page).fill('Please wait.');
    await press(page, 'Create job');
    await stop(page);
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.goto(`${project()}/jobs/new`);
    expect(await instruction(page).inputValue()).toBe('');
    await page.context().close();
  });

  test('may name a branch of the repository, which the field lists once it is used', async () => {
    await served.rita.pushCommit(served.name, 'release/2.x', { 'old.md': 'Old.\n' }, 'Old');
    const page = await openPage();
    await page.goto(`${project()}/jobs/new`);
    const listed = page.locator('#branches option');
    expect(await listed.count()).toBe(1);
    await page.getByRole('combobox', { name: 'Base branch' }).focus();
    await page.locator('#branches option[value="release/2.x"]').waitFor({ state: 'attached' });
    expect(await listed.evaluateAll((options) => options.map((option) => option.getAttribute('value')))).toEqual([
      ...['main', 'release/2.x'],
    ]);
    await page.context().close();
  });

  test('is sent once, by a double click too', async () => {
    const page = await openPage();
    await page.goto(`${project()}/jobs/new`);
    await instruction(page).fill('Please wait for a double click.');
    await page.getByRole('button', { name: 'Create job' }).dblclick();
    await page.getByRole('heading', { name: 'Please wait for a double click.' }).waitFor();
    await stop(page);
    await page.getByText('Stopped', { exact: true }).waitFor();
    await follow(page, 'Jobs');
    expect(await page.getByRole('link', { name: 'Please wait for a double click.' }).count()).toBe(1);
    await page.context().close();
  });

  test('comes back also without scripts, to be copied, and the sign-in leads to the job', async () => {
    const page = await openPage({ javaScriptEnabled: false });
    const { id } = await served.caller.create('Please wait for more.');
    await page.goto(`${project()}/jobs/${id}`);
    await page.getByRole('textbox', { name: 'Follow-up' }).fill(typed);
    await endSessions();
    await press(page, 'Send');
    expect(await page.getByRole('textbox', { name: 'What you typed' }).inputValue()).toBe(typed);
    await signInHere(page);
    await page.getByRole('heading', { name: 'Please wait for more.' }).waitFor();
    await served.caller.cancel(id);
    await page.context().close();
  });
});
