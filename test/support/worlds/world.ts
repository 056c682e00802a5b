import { inject } from 'vitest';
import { openWorld } from '../../../harness/world.ts';
import type { GitHubSettings } from '../../../local/github/start-github.ts';
import type { Script } from '../../../local/model/script.ts';
import { createTestDatabase } from '../databases/database.ts';

const privateKey = inject('privateKey');

export const defaultFiles: Record<string, string> = {
  'index.md': '# Acme\n\nWelcome.\n',
  'limits.md': '# Limits\n\n60 requests per minute.\n',
};

/** A world with a database of the test run and one project, of `acme/docs`. */
export type World = Awaited<ReturnType<typeof createWorld>>;

export async function createWorld({
  script,
  files = defaultFiles,
  isPublic,
  kilobytes,
  ...more
}: {
  script: Script;
  files?: Record<string, string>;
  contextTokens?: number;
  /** Whether everyone may read the repository. */
  isPublic?: boolean;
  /** What GitHub tells of the repository's size. */
  kilobytes?: number;
} & Pick<GitHubSettings, 'clock' | 'hourlyLimit' | 'onExchange'>) {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await openWorld({ script, privateKey, openDatabase: () => createTestDatabase(), ...more }));
  const project = await world.addProject('acme', files, { isPublic, kilobytes });
  const disposables = cleanup.move();
  return { ...world, ...project, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
}
