/** Names of the tests of this file that failed so far; vitest gives each file modules of its own. */
export const failures = new Set<string>();
