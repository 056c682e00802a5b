import { createSpawner } from '../../src/git/processes/create-spawner.ts';

/** The process of tests, trials and benches is large, and each fork of it takes some 20 ms: a small one starts programs for it. */
export const { runProcess } = createSpawner();
