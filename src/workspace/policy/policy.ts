import type { BaseFiles } from './base-files.ts';
import type { Change, Guard, ReadGuard } from './change.ts';
import { guardAddedCode } from './find-added-code.ts';
import { hideSecretFile, keepSecretFile } from './hide-secrets.ts';
import { createPagesGuard } from './pages/guard-pages.ts';
import { findProtection } from './protected-paths.ts';
import { createPathsGuard, createRestrictionsGuard, type WriteRules } from './write-rules.ts';

/** What may be read and written in one repository, said in one place. */
export interface Policy {
  /** Why a change may not be made, for the model. */
  findRefusal(change: Omit<Change, 'base'>): Promise<string | undefined>;
  /** Why a file is neither listed, read nor searched, for the model. */
  findReadRefusal(path: string): string | undefined;
  /** Whether no change of the file would be accepted, whatever it is. */
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
  const guardPaths = createPathsGuard(rules.allow);
  const findBlock = (path: string) => findProtection(path) ?? guardPaths(path);
  /** In order: the first refusal counts. */
  const guards: readonly Guard[] = [
    keepSecretFile,
    ({ path }) => findBlock(path),
    createRestrictionsGuard(rules.forbid),
    guardAddedCode,
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
    isProtected: (path) => findBlock(path) !== undefined,
    mark: (path) => (findBlock(path) === undefined ? undefined : 'protected'),
  };
}

function findFirst(guards: readonly ReadGuard[], path: string): string | undefined {
  for (const guard of guards) {
    const refusal = guard(path);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
