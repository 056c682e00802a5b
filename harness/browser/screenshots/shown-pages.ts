import type { Page } from 'playwright-core';
import type { openShownWorld } from './open-shown-world.ts';

type ShownWorld = Awaited<ReturnType<typeof openShownWorld>>;

/** A page as docs/images has it. */
export interface ShownPage {
  name: string;
  path: (world: ShownWorld) => string;
  /** Of a window 1280 wide. */
  height: number;
  /** Also in the dark theme, and on a phone. */
  isMain?: boolean;
  prepare?: (page: Page) => Promise<unknown>;
}

const ofProject = (rest: string) => (world: ShownWorld) => `/projects/${world.projectId}${rest}`;
const ofJob =
  (name: keyof ShownWorld['jobs'], query = '') =>
  (world: ShownWorld) =>
    `/projects/${world.projectId}/jobs/${world.jobs[name]}${query}`;

/** Every page of the dashboard, for people who are signed in. */
export const shownPages: readonly ShownPage[] = [
  { name: 'projects', path: () => '/projects', height: 420 },
  { name: 'jobs', path: ofProject(''), height: 820, isMain: true },
  { name: 'no-jobs', path: (world) => `/projects/${world.emptyProjectId}`, height: 800 },
  { name: 'new-job', path: ofProject('/jobs/new'), height: 480 },
  { name: 'job', path: ofJob('main', '?diff=unified'), height: 820, isMain: true },
  { name: 'job-side-by-side', path: ofJob('main', '?diff=split'), height: 760 },
  {
    name: 'job-preview',
    path: (world) => `/projects/${world.guidesProjectId}/jobs/${world.jobs.big}?tab=preview`,
    height: 860,
    isMain: true,
  },
  { name: 'job-live', path: ofJob('live', '?diff=unified'), height: 860 },
  { name: 'job-failed', path: ofJob('refused'), height: 860 },
  {
    name: 'keys',
    path: ofProject('/keys'),
    height: 760,
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Name' }).fill('changelog');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('status').waitFor();
    },
  },
  { name: 'automations', path: ofProject('/automations'), height: 760 },
  { name: 'webhooks', path: ofProject('/webhooks'), height: 460 },
  {
    name: 'webhook',
    path: ofProject('/webhooks'),
    height: 860,
    prepare: async (page) => {
      await page.locator('.what a').first().click();
      await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    },
  },
  {
    name: 'search',
    path: ofProject(''),
    height: 640,
    prepare: async (page) => {
      await page.locator('body').press('/');
      await page.getByRole('dialog').getByRole('link').first().waitFor();
    },
  },
  { name: 'usage', path: ofProject('/usage'), height: 860 },
  { name: 'settings', path: ofProject('/settings'), height: 860 },
  { name: 'settings-form', path: ofProject('/settings/edit'), height: 860 },
  { name: 'operator', path: () => '/operator', height: 960 },
  { name: 'missing', path: ofProject('/nothing'), height: 420 },
];
