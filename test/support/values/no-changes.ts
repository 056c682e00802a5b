import type { ChangeReader } from '../../../src/context/changes/create-change-reader.ts';

/** For tests whose instructions name no pull request. */
export const noChanges: ChangeReader = {
  isNamedIn: () => false,
  read: async () => Promise.reject(new Error('no pull request can be read')),
  readFrom: async () => Promise.reject(new Error('no pull request can be read')),
  readNamed: async () => [],
  readAtOnce: async () => [],
};
