import type { ServiceSettings } from '../config/config.ts';
import { createGit, readGitVersion } from '../git/git.ts';
import { createAllChecks } from '../health/create-checks.ts';
import { type Examined, examine } from '../health/examine.ts';
import { findUnusedCluster } from '../store/embedded/cluster.ts';
import { openForInspection } from '../store/open-database.ts';
import { realTiming } from '../timing.ts';

/** The findings of the doctor without an App. Starts no database. Never throws. */
export async function examineBeforeStart(settings: ServiceSettings, signal: AbortSignal): Promise<Examined[]> {
  await using database = await openForInspection(settings, { signal, mayStart: false });
  const checks = createAllChecks({
    config: settings,
    environment: process.env,
    github: undefined,
    authorization: null,
    readGitVersion: (stopped) => readGitVersion(createGit({ allowHttp: false }), stopped),
    inspectDatabase: database.inspect,
    findUnusedDatabase: () => findUnusedCluster(settings),
  });
  return await examine(checks, { signal, withinMs: realTiming.http.installedPageMs });
}
