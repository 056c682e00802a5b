import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longest, projects } from './test/projects.ts';

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  /** Each part gets its share of the slowest. The same on every machine. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    return files
      .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1))
      .filter((_file, place) => place % count === index - 1);
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place >= 0 ? place : longest.length + projects.findIndex(({ name }) => name === project.name);
}

// Databases and repositories of tests live in memory if there is room: each test makes and drops thousands of files.
if (hasRoom('/dev/shm')) process.env.TMPDIR ??= '/dev/shm';

// Threads and processes of the service load their code from it.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'pagewright-compile-cache');

function hasRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    // The stand-in for GitHub runs hooks from its repositories.
    const isExecutable = mounts.some((line) => line.split(' ')[1] === directory && !line.includes('noexec'));
    return isExecutable && bavail * bsize > 6 * 1024 ** 3;
  } catch {
    return false;
  }
}

export default defineConfig({
  // Packages as the service loads them: some have a slower build for the condition `development`, which vitest sets.
  ssr: { resolve: { conditions: ['node'] } },
  test: {
    // It imports JSON as bundlers do, which Node refuses.
    server: { deps: { inline: [/@actions\//] } },
    // Files of a project share workers and keep nothing to themselves: importing the service costs more than most of them do.
    projects: projects.map(
      (project): TestProjectInlineConfiguration => ({
        extends: true,
        test: { ...project, isolate: ['process', 'smoke'].includes(project.name) },
      }),
    ),
    sequence: { sequencer: SlowestFirst },
    globalSetup: ['test/support/run/global-setup.ts'],
    setupFiles: ['test/support/run/setup.ts'],
    // Two files at once keep two cores busy, but those of processes often wait for them.
    maxWorkers: availableParallelism() * (process.argv.includes('process') ? 2 : 1),
    // For a machine that is slow at the moment: each test waits for facts, and a fact that never comes has a limit of its own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
