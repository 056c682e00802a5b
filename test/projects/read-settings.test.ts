import { expect, test } from 'vitest';
import { readSettingsInThread } from '../../src/projects/read-repository-settings.ts';
import { carefulSettings } from '../../src/repository/settings.ts';
import { ThreadFailure } from '../../src/threads/stateful-thread.ts';
import { ThreadsBusy } from '../../src/threads/threads.ts';

const { signal } = new AbortController();
const refuseWith = (error: Error) => ({ runTask: () => Promise.reject(error), signal });

test('promise 42: settings that take too long to read permit nothing, and say so', async () => {
  expect(await readSettingsInThread('draft: true', refuseWith(new ThreadFailure('too late')))).toEqual({
    settings: carefulSettings,
    problems: ['The file takes too long to read: make it simpler'],
  });
});

test('settings that find all threads taken are read later', async () => {
  const busy = new ThreadsBusy('many wait');
  await expect(readSettingsInThread('draft: true', refuseWith(busy))).rejects.toBe(busy);
});
