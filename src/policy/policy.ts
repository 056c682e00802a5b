import type { BaseFiles } from './base-files.ts';
import type { Change, Guard, ReadGuard } from './change.ts';
import { guardCharacters } from './guard-characters.ts';
import { createCodeGuard } from './guard-code.ts';
import { createDataGuard } from './guard-data.ts';
import { createOpenedGuard } from './guard-opened.ts';
import { createPlaceGuard } from './guard-place.ts';
import { hideSecretFile, keepSecretFile } from './hide-secrets.ts';
import { createPagesGuard } from './pages/guard-pages.ts';
import { createFindPlace } from './places/find-place.ts';
import { readLayout } from './places/read-layout.ts';
import { createPathsGuard, createRestrictionsGuard, type WriteRules } from './write-rules.ts';

/** What an edit of a file may change, for lists and overviews. `findRefusal` decides. */
export type Access =
  | { kind: 'editable' }
  /** Only a part, such as `its redirects`. */
  | { kind: 'partly'; what: string }
  | { kind: 'protected'; reason: string };

/** Which files of one repository may be read and written. */
export interface Policy {
  /** Why a change may not be made, for the model. */
  findRefusal(change: Omit<Change, 'base'>): Promise<string | undefined>;
  /** Why a file is neither listed, read nor searched, for the model. */
  findReadRefusal(path: string): string | undefined;
  /** Of a path, whether or not a file is there. */
  describeAccess(path: string): Access;
  /** Whether every change of the file is refused, whatever its mode. */
  isProtected(path: string): boolean;
  /** A few words for lists of files, such as `protected`; undefined: editable. */
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
  const layout = await readLayout(base);
  const findPlace = createFindPlace(layout, rules.also);
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
    createDataGuard(findPlace, rules),
    createCodeGuard(findPlace, rules.compareCode),
    guardCharacters,
    createPagesGuard({ base, findDialect: layout.findDialect, read: rules.readPage }),
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
    describeAccess,
    mark(path) {
      const access = describeAccess(path);
      if (access.kind === 'editable') return undefined;
      return access.kind === 'protected' ? 'protected' : `only ${access.what} may change`;
    },
  };

  function describeAccess(path: string): Access {
    const place = findPlace(path);
    if (place.kind === 'protected') return place;
    const reason = findOutside(path);
    if (reason !== undefined) return { kind: 'protected', reason };
    if (base.files.get(path)?.isExecutable)
      return { kind: 'protected', reason: 'its mode makes it a program (100755)' };
    return place.kind === 'data' || place.kind === 'code'
      ? { kind: 'partly', what: place.file.what }
      : { kind: 'editable' };
  }
}

function findFirst(guards: readonly ReadGuard[], path: string): string | undefined {
  for (const guard of guards) {
    const refusal = guard(path);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
