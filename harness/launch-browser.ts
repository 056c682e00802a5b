import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The system's Chromium or Chrome, or the one of an npm package, which runs on Linux. Throws an `Error` that says what to install. */
export async function launchBrowser(): Promise<Browser> {
  const path = installed.find((candidate) => existsSync(candidate));
  const isPackaged = process.platform === 'linux' && path === undefined;
  try {
    if (!isPackaged) return await playwright.launch({ ...(path !== undefined && { executablePath: path }) });
    // In a single process, a context that closes would end the browser.
    const args = chromium.args.filter((arg) => arg !== '--single-process');
    return await playwright.launch({ executablePath: await chromium.executablePath(), args });
  } catch (cause) {
    throw new Error('could not start a browser: install Chromium or Google Chrome', { cause });
  }
}
