import { isWrittenPage } from '../docs/page-extensions.ts';
import type { BaseFiles, Change } from './base-files.ts';
import { readGeneratedPaths } from './generated/generated-paths.ts';
import { hideSecretFile } from './hide-secrets.ts';
import { inlineReaders } from './judge/foreign-readers.ts';
import { createJudge } from './judge/judge.ts';
import { createFindPlace } from './places/find-place.ts';
import { findIncludedFiles } from './places/included-files.ts';
import { readLayout } from './places/read-layout.ts';
import { createPathTest, type WriteRules } from './write-rules.ts';

/** What an edit of a file may change, for lists and overviews. `findRefusal` decides. */
export type Access =
  | { kind: 'editable' }
  /** Only a part, such as `its redirects`. */
  | { kind: 'partly'; what: string }
  | { kind: 'protected'; reason: string; isGenerated?: true };

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

/** `base` is the tree that changes are compared with. */
export async function createPolicy(options: { base: BaseFiles; rules?: WriteRules | undefined }): Promise<Policy> {
  const { base, rules = {} } = options;
  const layout = await readLayout(base);
  const findGenerated = await readGeneratedPaths(base, rules.generated);
  const included = await findIncludedFiles(base);
  const findPlace = createFindPlace(layout, rules.also, { findGenerated, included, files: base.files });
  const findOther = createPathTest(rules.allow);
  /** What `also` opens need not be among `paths`. */
  const findOutside = (path: string) => {
    const place = findPlace(path);
    return place.kind === 'opened' && place.isNamed ? undefined : findOther(path);
  };
  const isProtected = (path: string) => findPlace(path).kind === 'protected' || findOutside(path) !== undefined;
  const { forbid, generated, readers = inlineReaders } = rules;
  const judge = createJudge({ base, layout, findPlace, findOutside, forbid, generated, readers });
  return {
    findRefusal: (change) => judge({ ...change, base }),
    findReadRefusal: hideSecretFile,
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
    if (base.files.get(path)?.isExecutable && !(place.kind === 'page' && isWrittenPage(path)))
      return { kind: 'protected', reason: 'its mode makes it a program (100755)' };
    return place.kind === 'data' || place.kind === 'code'
      ? { kind: 'partly', what: place.file.what }
      : { kind: 'editable' };
  }
}
