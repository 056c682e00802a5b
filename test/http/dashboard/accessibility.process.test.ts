import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../harness/browser/launch-browser.ts';
import { signIn } from '../../../harness/browser/sign-in.ts';
import { startReceiver } from '../../../harness/start-receiver.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';
import { defaultFiles } from '../../support/worlds/world.ts';

const settings = {
  '.github/pagewright.yml':
    'automations:\n  limits:\n    on: {merged: acme/docs}\n    every: day\n    prompt: Follow the limits.\n',
};

/** What the policy lets pass, with as much of Markdown as a preview shows. */
const page100 = [
  `# Limits\n\n**100** requests, "quoted", \`code\` and ${'a-word-'.padEnd(300, 'x')}.`,
  '> [!NOTE]\n> Since version 4, see the [first page](index.md).',
  '| Plan | Limit |\n| ---- | ----- |\n| Free | 100   |',
  '```js\nconst limit = 100;\n```\n',
].join('\n\n');

const hostile = '<img src=x onerror=alert(1)> "quoted" `code` and a-word-'.padEnd(300, 'x');

const [served, browser] = await Promise.all([
  openServedWorld({
    files: { ...defaultFiles, ...settings },
    environment: { OPERATORS: 'rita', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
  }),
  launchBrowser(),
]);
const { world, caller, choices } = served;
world.github.setPermission(served.name, 'rita', 'maintain');
const calls = [{ name: 'write_file', arguments: { path: 'limits.md', content: page100 } }];
const finish = {
  title: `Raise ${hostile}`.slice(0, 60),
  summary: `It says **100** now.\n\n- one\n- two\n\n${hostile}`,
};
choices.push({
  when: 'Raise',
  script: ({ turn }) => (turn === 0 ? { text: hostile, calls } : { calls: [{ name: 'finish', arguments: finish }] }),
});
const { id: jobId } = await caller.create(`Raise the limit. ${hostile}`);
expect((await caller.settled(jobId)).prLink).not.toBeNull();
const { prLink } = await caller.settled((await caller.create('Raise it, to be merged.')).id);
await served.rita.mergePullRequest(served.name, Number(prLink?.split('/').at(-1)));
const empty = await served.openProject('umbrella');
world.github.setPermission(empty.name, 'rita', 'maintain');
const emptyProjectId = empty.world.projectId;
const { database } = world.database;
const { run_id: runId } = await database.selectFrom('runs').select('run_id').executeTakeFirstOrThrow();
await using receiver = await startReceiver();
await caller.call('POST', '/../webhook', { url: receiver.url });
const { webhook_id: webhookId } = await database.selectFrom('webhooks').select('webhook_id').executeTakeFirstOrThrow();
await caller.call('POST', `/../webhook/${webhookId}/test`);
const { delivery_id: deliveryId } = await database
  .selectFrom('webhook_deliveries')
  .select('delivery_id')
  .executeTakeFirstOrThrow();
const context = await browser.newContext();
context.setDefaultTimeout(30_000);
const page = await context.newPage();
await signIn(page, served.service.url);
afterAll(async () => {
  await browser.close();
  await served[Symbol.asyncDispose]();
});

const project = `/projects/${served.world.projectId}`;
const addresses = {
  projects: '/projects',
  jobs: project,
  'an empty list': `${project}?status=archived`,
  'a new job': `${project}/jobs/new`,
  'a job': `${project}/jobs/${jobId}`,
  'a job, side by side': `${project}/jobs/${jobId}?diff=split`,
  'a preview': `${project}/jobs/${jobId}?tab=preview`,
  'the checks of a job': `${project}/jobs/${jobId}?tab=checks`,
  'the activity of a job': `${project}/jobs/${jobId}?tab=activity`,
  'the turns of a run': `${project}/jobs/${jobId}/runs/${runId}`,
  keys: `${project}/keys`,
  webhooks: `${project}/webhooks`,
  'a webhook': `${project}/webhooks/${webhookId}`,
  'a delivery': `${project}/webhooks/${webhookId}/deliveries/${deliveryId}`,
  search: `${project}/search`,
  automations: `${project}/automations`,
  'the merges of the last 30 days': `${project}/automations/limits/merged`,
  usage: `${project}/usage`,
  'a form of settings': `${project}/settings/edit`,
  settings: `${project}/settings`,
  'the operator’s page': '/operator',
  'a project without jobs': `/projects/${emptyProjectId}`,
  'a missing page': `${project}/nothing`,
  'the API reference': '/docs',
};

test.each(Object.entries(addresses))(
  '%s has no finding of axe, in light or dark, and fits a narrow screen',
  async (_name, address) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${served.service.url}${address}`);
    await findNothingAtAnyWidth();
  },
);

test('a job at work has none, nor has a question before it stops, the palette, or the menu of the account', async () => {
  const { world, choices, caller } = served;
  const calls = [{ name: 'write_file', arguments: { path: 'live.md', content: '# Live\n' } }];
  const script = ({ turn }: { turn: number }) =>
    turn === 0 ? { text: hostile, calls } : { fault: { kind: 'hang' as const } };
  choices.push({ when: 'wait', script });
  const { id } = await caller.create('Please wait.');
  const address = `${served.service.url}/projects/${world.projectId}/jobs/${id}`;
  await page.goto(address);
  await page.locator('#so-far').waitFor();
  await findNothingAtAnyWidth();
  await page.goto(address);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await findNothing(page, listed);
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped', { exact: true }).waitFor();
  await findNothingAtAnyWidth();
  await page.goto(address);
  await page.locator('body').press('/');
  await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).waitFor();
  await findNothing(page, listed);
});

test('a failed job and an archived one have none', async () => {
  const { world, choices, caller } = served;
  choices.push({ when: 'refuse', script: () => ({ fault: { kind: 'refusal' } }) });
  const { id } = await caller.create('Please refuse.');
  await caller.settled(id);
  await page.goto(`${served.service.url}/projects/${world.projectId}/jobs/${id}`);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await findNothingAtAnyWidth();
  await caller.archive(id);
  await page.reload();
  await page.getByText('Archived', { exact: true }).waitFor();
  await findNothingAtAnyWidth();
});

test('settings with a mistake have none', async () => {
  const { database } = served.world.database;
  const broken = { settings_problems: JSON.stringify([`\`labels\` must be a list ${hostile} (line 3)`]) };
  await database.updateTable('projects').set(broken).execute();
  await page.goto(`${served.service.url}/projects/${served.world.projectId}/settings`);
  await page.getByRole('link', { name: 'line 3' }).waitFor();
  await findNothingAtAnyWidth();
});

test('what the doctor finds has none', async () => {
  await page.goto(`${served.service.url}/operator`);
  await page.getByRole('button', { name: 'Run the doctor' }).click();
  await page.getByRole('heading', { name: 'Doctor' }).waitFor();
  await page.getByText('PUBLIC_URL is not set').waitFor();
  await findNothingAtAnyWidth();
});

async function findNothingAtAnyWidth(): Promise<void> {
  for (const details of await page.locator('details').all())
    await details.evaluate((element) => element.setAttribute('open', ''));
  await findNothing(page, (axe) => axe);
  // To axe, what an open menu or the box at the bottom covers by half is a small target.
  for (const menu of await page.locator('details.menu').all())
    await menu.evaluate((element) => element.removeAttribute('open'));
  await page.setViewportSize({ width: 360, height: 4_000 });
  await findNothing(page, listed);
  // No column is cut where a window is not wide.
  await page.setViewportSize({ width: 820, height: 900 });
  const cut = `[...document.querySelectorAll('.panel:not(.wide) > table')].filter((table) => table.offsetWidth > table.parentElement.offsetWidth).length`;
  expect(await page.evaluate(cut)).toBe(0);
  await page.setViewportSize({ width: 360, height: 4_000 });
  const tables = page.locator('main > .panel > table');
  expect(await tables.filter({ visible: true }).count()).toBe(await tables.count());
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('the pages for people who are not signed in have none', async () => {
  const context = await browser.newContext();
  const stranger = await context.newPage();
  for (const path of ['/', '/projects', '/auth/callback']) {
    await stranger.goto(`${served.service.url}${path}`);
    await findNothing(stranger, (axe) => axe);
  }
  await context.close();
});

/** A, AA, and best practice: all rules that are on by default, and the size of targets. */
const listed = (axe: AxeBuilder) => axe.options({ rules: { 'target-size': { enabled: true } } });
/** Light or dark changes nothing but colours: only these rules look at them. */
const ofColours = (axe: AxeBuilder) => axe.withRules(['color-contrast', 'link-in-text-block']);

async function findNothing(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await findProblems(page, choose)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findProblems(page, ofColours)).toEqual([]);
}

async function findProblems(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  // Legacy mode opens no second page for each analysis: only frames would need it.
  const { violations } = await choose(new AxeBuilder({ page }).setLegacyMode()).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
