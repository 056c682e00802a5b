import type { BaseFiles } from './base-files.ts';
import type { Change, Guard, ReadGuard } from './change.ts';
import { createDataGuard } from './guard-data.ts';
import { createOpenedGuard } from './guard-opened.ts';
import { createPlaceGuard } from './guard-place.ts';
import { hideSecretFile, keepSecretFile } from './hide-secrets.ts';
import { createPagesGuard } from './pages/guard-pages.ts';
import { createFindPlace } from './places/find-place.ts';
import { readSite } from './places/site.ts';
import { createPathsGuard, createRestrictionsGuard, type WriteRules } from './write-rules.ts';

/** What may be read and written in one repository, said in one place. */
export interface Policy {
  /** Why a change may not be made, for the model. */
  findRefusal(change: Omit<Change, 'base'>): Promise<string | undefined>;
  /** Why a file is neither listed, read nor searched, for the model. */
  findReadRefusal(path: string): string | undefined;
  /** Whether every change of the file is refused. */
  isProtected(path: string): boolean;
  /** A few words for lists of files, such as `protected`. */
  mark(path: string): string | undefined;
}

/** Guards of reading: a file that one of them refuses does not exist for the model. */
const readGuards: readonly ReadGuard[] = [hideSecretFile];

/** `base` is the tree that changes are compared with. */
export async function createPolicy({
  base,
  rules = {},
}: {
  base: BaseFiles;
  rules?: WriteRules | undefined;
}): Promise<Policy> {
  const findPlace = createFindPlace(await readSite(base), rules.also);
  const guardPaths = createPathsGuard(rules.allow);
  const guardPlace = createPlaceGuard(findPlace);
  /** What `also` opens need not be among `paths`. */
  const findOutside = (path: string) => (findPlace(path).kind === 'opened' ? undefined : guardPaths(path));
  const isProtected = (path: string) => findPlace(path).kind === 'protected' || findOutside(path) !== undefined;
  /** In order: the first refusal counts. */
  const guards: readonly Guard[] = [
    keepSecretFile,
    guardPlace,
    ({ path }) => findOutside(path),
    createRestrictionsGuard(rules.forbid),
    createOpenedGuard(findPlace),
    createDataGuard(findPlace, rules.layOutYaml),
    createPagesGuard(base, rules.readPage),
  ];
  return {
    async findRefusal(change) {
      for (const guard of guards) {
        const refusal = await guard({ ...change, base });
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    },
    findReadRefusal: (path) => findFirst(readGuards, path),
    isProtected,
    mark(path) {
      const place = findPlace(path);
      if (isProtected(path) || base.files.get(path)?.isExecutable) return 'protected';
      return place.kind === 'data' ? `only ${place.file.what} may change` : undefined;
    },
  };
}

function findFirst(guards: readonly ReadGuard[], path: string): string | undefined {
  for (const guard of guards) {
    const refusal = guard(path);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
