import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../harness/browser/launch-browser.ts';
import { signIn } from '../../../harness/browser/sign-in.ts';
import { eventually } from '../../../harness/eventually.ts';
import { finish, write } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const slow = Promise.withResolvers<void>();
const waits = { timeout: 30_000 };
const longPage = Array.from({ length: 40 }, (_, index) => `Line ${index + 1}\n`).join('\n');

const [served, browser] = await Promise.all([
  openServedWorld({ files: { 'index.md': '# Home\n', 'long.md': longPage } }),
  launchBrowser(),
]);
served.world.github.setPermission(served.name, 'rita', 'maintain');
served.choices.push(
  { when: 'only asked', script: () => ({ text: 'Nothing to change.' }) },
  { when: 'slowly', script: () => slow.promise.then(() => ({ text: 'Nothing to change.' })) },
  {
    when: 'ten lines',
    script: steps([
      write('long.md', longPage.replace('Line 30', 'Line thirty')),
      finish('Done.', { title: 'Write a number' }),
    ]),
  },
  { when: 'wait', script: () => ({ fault: { kind: 'hang' } }) },
);
const { id: quietId } = await served.caller.create('I only asked about zebras.');
await served.caller.settled(quietId);
const context = await browser.newContext();
context.setDefaultTimeout(30_000);
const page = await context.newPage();
await signIn(page, served.service.url);
afterAll(async () => {
  await browser.close();
  await served[Symbol.asyncDispose]();
});

const project = () => `${served.service.url}/projects/${served.world.projectId}`;
const openMenu = (name: string) => page.locator(`#${name} > summary`).click();

test('a slash opens the palette, which finds a job; Escape leaves everything as it was', async () => {
  await page.goto(project());
  await page.locator('body').press('/');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await palette.getByRole('link', { name: 'Settings' }).waitFor();
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'hidden' });
  await page.locator('body').press('Control+k');
  await page.keyboard.type('zebra');
  await palette.getByRole('link', { name: 'I only asked about zebras.' }).waitFor();
  await palette.getByRole('link', { name: 'Settings' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'I only asked about zebras.' }).waitFor();
});

test('a slash that belongs to a text is only a letter', async () => {
  await page.goto(project());
  await page.getByRole('textbox', { name: 'What should readers find?' }).pressSequentially('a/b');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('textbox', { name: 'What should readers find?' }).fill('');
});

test('a theme is chosen for this browser, and forgotten again', async () => {
  const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
  await page.goto(project());
  await openMenu('account');
  await page.getByRole('button', { name: 'dark' }).click();
  await expect.poll(scheme, waits).toBe('dark');
  expect(page.url()).toBe(project());
  await openMenu('account');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Sign out' }).isVisible()).toBe(false);
  await openMenu('account');
  await page.getByRole('button', { name: 'system' }).click();
  await expect.poll(scheme, waits).toBe('light dark');
});

test('a question comes before what cannot be undone, and nothing happens without its answer', async () => {
  const { id } = await served.caller.create('Please wait.');
  await page.goto(`${project()}/jobs/${id}`);
  await page.getByRole('button', { name: 'Cancel' }).click();
  const question = page.getByRole('dialog', { name: 'Stop the run? Changes that were pushed stay.' });
  await question.getByRole('button', { name: 'Back' }).click();
  await question.waitFor({ state: 'detached' });
  expect((await served.caller.get(id)).status).toBe('active');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped', { exact: true }).waitFor();
});

test('a page that nobody looks at tells that its job ended, if it was asked to', async () => {
  const own = await browser.newContext({ storageState: await context.storageState() });
  await own.grantPermissions(['notifications'], { origin: served.service.url });
  const tab = await own.newPage();
  await tab.addInitScript(`
    globalThis.notified = [];
    globalThis.Notification = class extends EventTarget {
      static permission = 'granted';
      static requestPermission = async () => 'granted';
      constructor(title, { body }) { super(); globalThis.notified.push(title + ': ' + body); }
    };
  `);
  const { id } = await served.caller.create('Please answer slowly.');
  await tab.goto(`${project()}/jobs/${id}`);
  const icon = () => tab.locator('link[rel="icon"]').getAttribute('href');
  expect(await icon()).toContain('icon-working.svg');
  await tab.locator('#job-menu > summary').click();
  const offer = tab.getByRole('button', { name: 'Notify me when it ends' });
  await offer.click();
  await expect.poll(() => offer.getAttribute('aria-pressed'), waits).toBe('true');
  await tab.evaluate(`
    Object.defineProperty(document, 'hidden', { get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
  slow.resolve();
  await expect
    .poll(() => tab.evaluate('globalThis.notified'), waits)
    .toEqual(['No change needed: Please answer slowly.']);
  expect(await tab.title()).toMatch(/^No change needed: /);
  expect(await icon()).toContain('/icon.svg');
  await own.close();
});

test('a keyboard chooses a line and comments on it, and opens the lines before a change', async () => {
  const { id } = await served.caller.create('Please write ten lines.');
  await served.caller.settled(id);
  await page.goto(`${project()}/jobs/${id}?tab=changes`);
  const lines = page.getByRole('region', { name: 'Lines of long.md' });
  expect(await lines.getByText('Line 9', { exact: true }).count()).toBe(0);
  await lines.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('c');
  const followUp = page.getByRole('textbox', { name: 'Follow-up' });
  await expect.poll(() => followUp.inputValue(), waits).toMatch(/^In long\.md, line \d+: $/);
  await page.getByRole('link', { name: 'Lines before' }).click();
  const before = lines.getByText('Line 9', { exact: true });
  // A page without the change is right, too, while GitHub does not answer in time.
  await eventually(async () => {
    await before
      .first()
      .waitFor({ timeout: 5_000 })
      .catch(() => page.reload());
    return (await before.count()) > 0 || undefined;
  });
  expect(await lines.getByText('Line 39', { exact: true }).count()).toBe(0);
  expect(await followUp.inputValue()).toMatch(/^In long\.md/);
});

test('on paper there are no controls, and the whole conversation', async () => {
  const usual = page.viewportSize();
  await page.setViewportSize({ width: 794, height: 1_123 });
  await page.goto(`${project()}/jobs/${quietId}?tab=changes`);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText('Ctrl+Enter sends').isVisible()).toBe(false);
  expect(await page.locator('.top').isVisible()).toBe(false);
  expect(await page.getByRole('textbox', { name: 'Follow-up' }).isVisible()).toBe(false);
  expect(await page.getByText('Nothing to change.').last().isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
  if (usual) await page.setViewportSize(usual);
});

test('a keyboard comes to the first job with three keys', async () => {
  await page.goto(project());
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const focused = await page.evaluate('document.activeElement.closest("tr")?.id');
  expect(focused).toMatch(/^job_/);
});

test('without scripts, the search is a page, the theme a form, and a page says how to see what is new', async () => {
  const own = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() });
  const tab = await own.newPage();
  await tab.goto(project());
  await tab.getByRole('link', { name: 'Search or jump to…' }).click();
  await tab.getByRole('searchbox', { name: 'Search jobs, projects and pages' }).fill('ZEBRAS');
  await tab.getByRole('button', { name: 'Search' }).click();
  await tab.getByRole('link', { name: 'I only asked about zebras.' }).click();
  await tab.getByText('to see what is new.').waitFor();
  await tab.locator('#account > summary').click();
  await tab.getByRole('button', { name: 'dark' }).click();
  expect(await tab.locator('html').getAttribute('data-theme')).toBe('dark');
  await own.close();
});
