import type { Page } from 'playwright-core';

/** Signs in to the dashboard at `url` as the person whom the stand-in for GitHub authorizes. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await signInHere(page);
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
}

/** On a page that asks for it. */
export async function signInHere(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with GitHub' }).click();
  await page.getByRole('button', { name: 'Authorize' }).click();
}
