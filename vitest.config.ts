import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Most of what the tests do is waiting for processes and servers: one file more at once than there are cores.
    maxWorkers: availableParallelism() + 1,
    // For a machine that is slow at the moment: each test waits for facts, and a fact that never comes has a limit of its own.
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
