import type { FoundProblem } from '../problem.ts';
import type { Site } from '../sites/open-sites.ts';

/** Front matter that cannot be read, and pages without the title that their framework requires. */
export function findFrontMatterProblems(site: Site): FoundProblem[] {
  return [...site.pages].flatMap(([file, page]) => {
    const { data, fault } = page.frontMatter;
    const place = { file, kind: 'front-matter', severity: 'must' } as const;
    if (fault) return [{ ...place, line: fault.line, target: fault.message, describe: () => fault.message }];
    const isPage = site.framework.dialect?.needsTitle && site.addressesOf(file, page).length > 0 && !isPart(file);
    if (!isPage || !isEmpty(data.title)) return [];
    const message = `${site.framework.name} needs a title in the front matter: begin the page with ---, title: …, ---`;
    return [{ ...place, line: 1, target: missingTitle, describe: () => message }];
  });
}

export const missingTitle = 'title';

/** A name that begins with `.` or `_` marks a part of other pages. */
const isPart = (path: string) => /(?:^|\/)[._][^/]*$/.test(path);

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
