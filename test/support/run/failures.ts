/** Names of the tests of this file that failed so far. Files share it with their worker: setup.ts empties it for each. */
export const failures = new Set<string>();
