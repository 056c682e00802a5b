import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { runPagewright } from '../../support/run/run-pagewright.ts';
import { firstJob, openAutomated } from '../../support/worlds/automated.ts';
import { openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test('an operator lists, runs, pauses and resumes automations beside the service, and is told in one line what is wrong', async () => {
  const script = steps([finish(`Nothing to document: the change is internal. ${'It has many words. '.repeat(20)}`)]);
  const automated = await openAutomated(shop, 'operated', { script });
  const { world, name, automation } = automated;
  const pagewright = (...args: string[]) =>
    runPagewright(['automations', ...args], { environment: world.environment, cwd: world.directory });
  expect(await pagewright('pause', name, 'limits')).toEqual({ code: 0, stdout: 'limits is paused\n', stderr: '' });
  expect(await automation()).toMatchObject({ state: 'paused' });
  expect(await pagewright('run', name, 'limits')).toMatchObject({
    code: 1,
    stderr: 'automations: limits is paused: resume it first\n',
  });
  expect(await pagewright('resume', name, 'limits')).toMatchObject({ code: 0, stdout: 'limits is active\n' });
  const unread = await pagewright('run', name, 'limits', '--pull-request', `${name}#99`);
  expect(unread).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('It is no pull request, or it was deleted'),
  });
  const ran = await pagewright('run', name, 'limits');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect((await firstJob(automated)).id).toBe(ran.stdout.trim());
  expect((await pagewright('list', name)).stdout).toMatch(
    /^NAME .*WHY\nlimits +active +0 +- +unchanged +Nothing to document: the change is internal\.[\w. ]{54,}…\n$/,
  );
  expect(await pagewright('pause', name, 'other')).toMatchObject({
    code: 1,
    stderr: `automations: ${name} has no automation other: see pagewright automations list\n`,
  });
  const broken = { broken: 'Install the App on acme/api.' };
  await world.database.database.updateTable('automations').set(broken).execute();
  expect((await pagewright('resume', name, 'limits')).stdout).toBe('limits is broken: Install the App on acme/api.\n');
});
