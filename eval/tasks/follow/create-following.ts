import { opensPullRequest, restsOn, says } from '../../checks/answers.ts';
import { isSound } from '../../checks/docs.ts';
import { changesNothing, changesOnly, has, lacks } from '../../checks/files.ts';
import type { Check, Files } from '../../checks/outcome.ts';
import type { Merged, Task } from '../task.ts';

/** What a page says in the end. */
interface Wanted {
  has: readonly RegExp[];
  lacks?: readonly RegExp[];
  /** The file of the code that it rests on. */
  from: string;
}

/** Tasks in which an automation follows the code. `code`: a folder of eval/sites, or the site itself. */
export function createFollowing({ site, code }: { site: string; code: string }) {
  const create = (name: string, merged: readonly Merged[], checks: readonly Check[]): Task => ({
    name: `${site}/${name}`,
    site,
    follows: { code, merged },
    messages: [],
    checks,
  });
  return {
    /** Readers need to know: these pages change, no others, and each names the code that it rests on. */
    documents: (name: string, merged: readonly Merged[], pages: Readonly<Record<string, Wanted>>): Task =>
      create(name, merged, [
        opensPullRequest,
        changesOnly(...Object.keys(pages)),
        ...Object.entries(pages).flatMap(([path, wanted]) => [
          has(path, ...wanted.has),
          lacks(path, ...(wanted.lacks ?? [])),
          restsOn(path, wanted.from),
        ]),
        isSound,
      ]),
    /** Readers need to know nothing: nothing is said on GitHub, and the automation says why. `spoil`: as of a task. */
    leavesAlone: (name: string, merged: readonly Merged[], more: { spoil?: (site: Files) => Files } = {}): Task => ({
      ...create(name, merged, [changesNothing, says(/^Nothing to document: \S+(?: \S+){2}/m)]),
      ...more,
    }),
  };
}
