import type { ChangeReader } from '../../../src/context/changes/create-change-reader.ts';

/** For tests whose instructions name no pull request. */
export const noChanges: ChangeReader = {
  isNamedIn: () => false,
  read: async () => [],
  readNamed: async () => [],
  readAtOnce: async () => [],
};
