import { compileGlob } from '../glob.ts';
import type { Automation } from '../repository/automation-shapes.ts';
import type { FoundChange } from '../store/tables/jobs/named-pull-request.ts';
import { passedBecause } from './note-happening.ts';

/** Why a merged pull request is passed over; undefined: it is taken up. */
export function judgeChange(
  change: FoundChange,
  {
    setting,
    botLogin,
    documentedBy,
  }: {
    setting: Automation;
    botLogin: string;
    /** A pull request of the documentation that its body links to; null: none. */
    documentedBy: string | null;
  },
): string | undefined {
  if (change.author === botLogin) return passedBecause.ours;
  // GitHub gives the name to Apps only: no login of a person has brackets.
  if (change.author.endsWith('[bot]') && !setting.bots) return passedBecause.bot;
  if (documentedBy !== null) return `It links to ${documentedBy}, which documents it.`;
  if (setting.on.paths !== undefined && !touches(change, setting.on.paths))
    return 'It changed no file that `paths` names.';
  return undefined;
}

/** GitHub lists only so many files: one beyond them may be a match. */
function touches({ files, more }: FoundChange, globs: readonly string[]): boolean {
  if (more > 0) return true;
  const tests = globs.flatMap((glob) => compileGlob(glob) ?? []);
  const paths = files.flatMap(({ path, previousPath }) => [path, ...(previousPath === null ? [] : [previousPath])]);
  return paths.some((path) => tests.some((test) => test(path)));
}
