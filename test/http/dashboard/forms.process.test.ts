import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../harness/browser/launch-browser.ts';
import { signIn, signInHere } from '../../../harness/browser/sign-in.ts';
import { finish, perRun, write } from '../../../harness/script-steps.ts';
import { startReceiver } from '../../../harness/start-receiver.ts';
import { steps } from '../../../local/model/script.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const environment = { OPERATORS: 'rita', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };
const [served, receiver, browser] = await Promise.all([
  openServedWorld({ environment }),
  startReceiver(),
  launchBrowser(),
]);
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
