import type { Repository, Visibility } from '../github/calls/repository.ts';
import { type Settings, settingsPath } from '../repository/settings.ts';
import type { ContextState } from './context-repository.ts';

/** The settings on a repository's default branch. */
interface Consenting {
  settings: { documentation: Settings['documentation'] };
  problems: readonly string[];
}

type Consent = { state: 'ready'; problem: null } | { state: Exclude<ContextState, 'ready'>; problem: string };

interface Owned {
  visibility: Visibility;
  owner: string;
}

/** Lower: more people. */
const ranks: Record<Visibility, number> = { public: 0, internal: 1, private: 2 };

/** Whether some who may see the second repository may not see the first. */
const isMoreSecret = (one: Owned, other: Owned): boolean => ranks[one.visibility] > ranks[other.visibility];

/** Whether readers of a pull request in `documentation` may see the repository. Those of a private one may see another of its owner. */
export const isOpenToReaders = (repository: Owned, documentation: Owned): boolean =>
  !isMoreSecret(repository, documentation) &&
  (repository.visibility === 'public' || repository.owner.toLowerCase() === documentation.owner.toLowerCase());

/**
 * Whether a repository lets runs of `documentation` read it. `isNameOf` says whether a name leads to the documentation, which may have been
 * renamed since.
 */
export async function findConsent(
  repository: Repository,
  { settings, problems }: Consenting,
  { documentation, isNameOf }: { documentation: Repository; isNameOf: (name: string) => Promise<boolean> },
): Promise<Consent> {
  const file = `${settingsPath} of ${repository.fullName}`;
  if (problems.length > 0)
    return {
      state: 'settings_invalid',
      problem: `${repository.fullName} is not read, because ${file} has mistakes (${problems.join('; ')}). Correct the file.`,
    };
  const consent = await findEntry(settings.documentation, { documentation, isNameOf });
  if (consent === undefined)
    return {
      state: 'no_consent',
      problem: `${repository.fullName} is not read, because ${file} does not name this repository. Add the line \`documentation: ${documentation.fullName}\` to it on the default branch.`,
    };
  if (isMoreSecret(repository, documentation) && !consent.public)
    return {
      state: 'not_public',
      problem: `${repository.fullName} is not read, because it is ${repository.visibility}, and ${documentation.fullName} is ${documentation.visibility}. If what it holds may be published, write \`documentation: {repository: ${consent.repository}, public: true}\` in ${file} on the default branch.`,
    };
  return { state: 'ready', problem: null };
}

type Entry = Settings['documentation'][number];

/** Only names that are not the present one cost a request. */
async function findEntry(
  entries: readonly Entry[],
  { documentation, isNameOf }: { documentation: Repository; isNameOf: (name: string) => Promise<boolean> },
): Promise<Entry | undefined> {
  const present = entries.find((entry) => entry.repository.toLowerCase() === documentation.fullName.toLowerCase());
  if (present) return present;
  for (const entry of entries) if (await isNameOf(entry.repository)) return entry;
  return undefined;
}
