import type { Page } from 'playwright-core';

/** Signs in to the dashboard at `url` as the person whom the stand-in for GitHub authorizes. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('link', { name: 'Sign in with GitHub' }).click();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
}
