import { connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../harness/browser/launch-browser.ts';
import { signIn } from '../../../harness/browser/sign-in.ts';
import { hold } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

/** A way to the service that can be cut. */
async function openWire() {
  const sockets = new Set<Socket>();
  let target = 0;
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the wire has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    lead(url: string) {
      target = Number(new URL(url).port);
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    close() {
      this.cut();
      server.close();
    },
  };
}

const wire = await openWire();
const [served, browser] = await Promise.all([
  openServedWorld({ environment: { PUBLIC_URL: wire.url } }),
  launchBrowser(),
]);
wire.lead(served.service.url);
const context = await browser.newContext();
context.setDefaultTimeout(30_000);
const page = await context.newPage();
await signIn(page, wire.url);
await page.getByRole('link', { name: served.name, exact: true }).click();
await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
afterAll(async () => {
  await browser.close();
  await served[Symbol.asyncDispose]();
  wire.close();
});

const list = () => `${wire.url}/projects/${served.world.projectId}`;

test('two tabs follow the same job, one in the list and one on its page', async () => {
  const held = hold({ text: 'Nothing has to change.' });
  served.choices.push({ when: 'two tabs', script: steps([held.step]) });
  await page.goto(list());
  const { id } = await served.caller.create('Work in two tabs.');
  const row = page.getByRole('row', { name: 'Work in two tabs.' });
  await row.getByText('Working', { exact: true }).waitFor();

  const other = await page.context().newPage();
  await other.goto(`${list()}/jobs/${id}`);
  await other.getByText('Working', { exact: true }).waitFor();
  await other.getByRole('textbox', { name: 'Follow-up' }).fill('half a sent');
  await page.bringToFront();
  held.release();
  await row.getByText('No change needed', { exact: true }).waitFor();
  await other.bringToFront();
  await other.getByText('No change needed', { exact: true }).waitFor();
  expect(await other.getByRole('textbox', { name: 'Follow-up' }).inputValue()).toBe('half a sent');
  expect(await other.getByRole('status').allTextContents()).toContain('This job: No change needed.');
  await other.close();
});

test('a fold stays open, and keeps the focus, while its page moves', async () => {
  const [first, second] = [hold({ text: 'One.', calls: [] }), hold({ text: 'Done.' })];
  const read = { name: 'read_file', arguments: { path: 'limits.md' } };
  served.choices.push({
    when: 'fold',
    script: steps([
      { text: 'I look.', calls: [read] },
      async (request) => ({ ...(await first.step(request)), calls: [read] }),
      second.step,
    ]),
  });
  const { id } = await served.caller.create('Keep the fold.');
  await page.goto(`${list()}/jobs/${id}?tab=activity`);
  const fold = page.locator('summary', { hasText: 'Read limits.md' }).first();
  await fold.focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Result').first().waitFor();
  first.release();
  await page.locator('summary', { hasText: 'Read limits.md' }).nth(1).waitFor();
  expect(await page.getByLabel('Result').first().isVisible()).toBe(true);
  expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
  second.release();
  await page.getByText('No change needed', { exact: true }).waitFor();
});

test('a fold stays open in a run of more turns than its page shows', async () => {
  const read = (limit: number) => ({
    name: 'read_file',
    arguments: { path: 'limits.md', start_line: 1, end_line: limit },
  });
  const [sixteenth, last] = [hold({ text: 'Turn 16.', calls: [read(16)] }), hold({ text: 'Done.' })];
  const early = Array.from({ length: 15 }, (_, turn) => ({ text: `Turn ${turn + 1}.`, calls: [read(turn + 1)] }));
  served.choices.push({ when: 'many turns', script: steps([...early, sixteenth.step, last.step]) });
  const { id } = await served.caller.create('Take many turns.');
  await sixteenth.asked;
  await page.goto(`${list()}/jobs/${id}?tab=activity`);
  const turn = (number: number) => page.locator('.calls > li', { hasText: `Turn ${number}.` });
  await turn(2).locator('summary').click();
  sixteenth.release();
  await turn(16).waitFor();
  await last.asked;
  await page
    .locator('#side')
    .getByText(/All 1[67] steps/)
    .waitFor();
  expect(await page.locator('details.call[open]').count()).toBe(1);
  expect(await turn(2).getByLabel('Result').isVisible()).toBe(true);
  last.release();
  await page.getByText('No change needed', { exact: true }).waitFor();
  expect(await page.locator('details.call[open]').count()).toBe(1);
  expect(await turn(2).getByLabel('Result').isVisible()).toBe(true);
});

test('a page says that its connection is lost, and goes on where it was', async () => {
  const held = hold({ text: 'It came later.' });
  served.choices.push({ when: 'unplugged', script: steps([held.step]) });
  const { id } = await served.caller.create('Work while unplugged.');
  await page.goto(`${list()}/jobs/${id}`);
  await held.asked;
  const notice = page.getByText('The connection is lost.');
  expect(await notice.isVisible()).toBe(false);
  wire.cut();
  await notice.waitFor();
  held.release();
  await served.caller.settled(id);
  expect(await page.getByText('Working', { exact: true }).isVisible()).toBe(true);
  wire.mend();
  await page.getByText('No change needed', { exact: true }).waitFor();
  await notice.waitFor({ state: 'hidden' });
});

test('a page that cannot read what is new says why', async () => {
  const held = hold({ text: 'It came at last.' });
  served.choices.push({ when: 'refused', script: steps([held.step]) });
  const { id } = await served.caller.create('Work while refused.');
  const job = `${list()}/jobs/${id}`;
  await page.goto(job);
  await held.asked;
  await page.route(job, (route) => route.fulfill({ status: 503, body: '' }));
  held.release();
  await page.getByText('Pagewright answered with an error (503).').waitFor();
  await page.unroute(job);
  await page.getByText('No change needed', { exact: true }).waitFor();
});

test('a chosen view of the change is remembered, and a narrow screen has one column', async () => {
  const calls = [{ name: 'write_file', arguments: { path: 'limits.md', content: '# Limits\n\n100 requests.\n' } }];
  const finish = { calls: [{ name: 'finish', arguments: { title: 'Raise it', summary: 'It is raised.' } }] };
  served.choices.push({ when: 'beside', script: steps([{ calls }, finish]) });
  const { id } = await served.caller.create('Show it beside.');
  await served.caller.settled(id);
  const job = `${list()}/jobs/${id}`;
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(job);
  const place = async (kind: 'add' | 'delete') => (await page.locator(`.line.${kind}`).first().boundingBox())?.x;
  expect(await place('add')).toBe(await place('delete'));
  await page.getByRole('link', { name: 'Side by side' }).click();
  await page.waitForURL(/diff=split/);
  await page.goto(job);
  expect(await place('add')).toBeGreaterThan((await place('delete')) ?? 0);
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await place('add')).toBe(await place('delete'));
  await page.setViewportSize({ width: 1280, height: 900 });
});
