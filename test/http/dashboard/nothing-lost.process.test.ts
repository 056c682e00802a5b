import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../harness/browser/launch-browser.ts';
import { signIn } from '../../../harness/browser/sign-in.ts';
import { hold } from '../../../harness/script-steps.ts';
import type { ScriptStep } from '../../../local/model/script.ts';
import { steps } from '../../../local/model/script.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const [served, browser] = await Promise.all([openServedWorld(), launchBrowser()]);
const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
context.setDefaultTimeout(30_000);
const page = await context.newPage();
await signIn(page, served.service.url);
afterAll(async () => {
  await browser.close();
  await served[Symbol.asyncDispose]();
});

const list = () => `${served.service.url}/projects/${served.world.projectId}`;
const read = { name: 'read_file', arguments: { path: 'limits.md' } };
const lookAgain = (remark: string): ScriptStep => ({ text: remark, calls: [read] });
const longRemark = Array.from({ length: 40 }, (_, line) => `- Line ${line} of what the agent thinks.`).join('\n');

/** A job whose agent has spoken at length, and goes on when `release` is called. */
async function openLiveJob(when: string): Promise<{ goOn: () => Promise<void>; end: () => Promise<void> }> {
  const [second, third, last] = [
    hold(lookAgain(longRemark)),
    hold(lookAgain('The third remark.')),
    hold({ text: 'Done.' }),
  ];
  served.choices.push({ when, script: steps([lookAgain('The first remark.'), second.step, third.step, last.step]) });
  const { id } = await served.caller.create(`${when}. ${'It is a long instruction. '.repeat(20)}`);
  await second.asked;
  await page.goto(`${list()}/jobs/${id}`);
  second.release();
  await page.getByText('Line 39 of what').waitFor();
  return {
    goOn: async () => {
      third.release();
      await page.getByText('The third remark.').waitFor();
    },
    end: async () => {
      last.release();
      await page.getByText('No change needed', { exact: true }).waitFor();
    },
  };
}

describe('while the agent works', () => {
  beforeEach(() => page.bringToFront());

  test('what is typed stays, with its caret, and its box stays in the window', async () => {
    const job = await openLiveJob('Keep what is typed');
    const box = page.getByRole('textbox', { name: 'Follow-up' });
    await box.pressSequentially('half a sentence');
    await page.keyboard.press('ArrowLeft');
    const place = await box.boundingBox();
    await job.goOn();
    await page.keyboard.type('c');
    expect(await box.inputValue()).toBe('half a sentencce');
    expect(await box.boundingBox()).toEqual(place);
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThan(720);
    await job.end();
    expect(await box.inputValue()).toBe('half a sentencce');
  });

  test('what is selected stays selected', async () => {
    const job = await openLiveJob('Keep what is selected');
    const selected = () => page.evaluate('getSelection().toString()');
    await page.getByText('The first remark.').selectText();
    expect(await selected()).toBe('The first remark.');
    await job.goOn();
    expect(await selected()).toBe('The first remark.');
    await job.end();
    expect(await selected()).toBe('The first remark.');
  });

  test('what is read stays where it is; at its end, the conversation follows', async () => {
    const job = await openLiveJob('Keep what is read');
    expect(await page.getByText('Line 39 of what').isVisible()).toBe(true);
    const read = page.getByText('Line 5 of what');
    await read.evaluate((line) => line.scrollIntoView({ block: 'center' }));
    const place = await read.boundingBox();
    await job.goOn();
    expect((await read.boundingBox())?.y).toBeCloseTo(place?.y ?? 0, 0);
    await page.locator('.from-end').evaluate((pane) => pane.scrollTo(0, 0));
    await job.end();
    const end = await page.locator('.from-end').boundingBox();
    const last = await page.getByText('Done.', { exact: true }).last().boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((end?.y ?? 0) + (end?.height ?? 0));
  });

  test('the focus stays on its job, so that Enter opens it', async () => {
    served.choices.push({ when: 'rest', script: () => ({ text: 'Nothing to do.' }) });
    const create = async (name: string) => served.caller.settled((await served.caller.create(name)).id);
    await create('The job that is focused, to rest.');
    await page.goto(list());
    const focused = page.getByRole('link', { name: 'The job that is focused' });
    await focused.focus();
    await create('A newer job, to rest.');
    await page.getByRole('link', { name: 'A newer job' }).waitFor();
    expect(await focused.and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The job that is focused' }).waitFor();
  });
});
