import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
    return await playwright.launch({ executablePath: await unpack(), args });
  } catch (cause) {
    throw new Error('could not start a browser: install Chromium or Google Chrome', { cause });
  }
}

const unpacking = `const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();`;

/** Once for each user, because nobody may start another user's; whole or not at all, because several processes may do it at once. */
async function unpack(): Promise<string> {
  const directory = join(tmpdir(), `pagewright-chromium-${userInfo().username}`);
  if (!existsSync(directory)) {
    const own = await mkdtemp(`${directory}-`);
    const env = { ...process.env, TMPDIR: own };
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpacking], { env });
    await rename(own, directory).catch(() => rm(own, { recursive: true }));
  }
  return join(directory, 'chromium');
}
