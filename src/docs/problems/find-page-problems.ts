import type { Tag } from '../pages/list-tags.ts';
import type { FoundProblem } from '../problem.ts';
import type { Site } from '../sites/open-sites.ts';
import { fromPage } from '../tree.ts';

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

/** Images without alternative text, and how many different images there are. */
export function findWordlessImages(site: Site): { problems: FoundProblem[]; targets: number } {
  const targets = new Set<string>();
  const problems: FoundProblem[] = [];
  for (const [file, { links, tags, lineOf }] of site.pages) {
    // Of tools, such as `.changeset` and `.github`.
    if (site.framework.sites === undefined && /(?:^|\/)\./.test(file)) continue;
    for (const { kind, target, start, form, isWordless } of links) {
      if (kind !== 'image') continue;
      const name = /^[a-z][a-z\d+.-]*:/i.test(target) ? target : fromPage(file, target);
      targets.add(name);
      if (!isWordless || isCaptioned(tags, start)) continue;
      const where = form === 'attribute' ? 'as alt="…", or alt="" if it is decoration' : 'between the brackets';
      problems.push({
        file,
        line: lineOf(start),
        kind: 'alt-text',
        severity: 'should',
        target: name,
        // An image that takes the place of another one brings nothing new.
        written: 'alt-text',
        describe: () => `image ${target} has no text for readers who do not see it: write what it shows ${where}`,
      });
    }
  }
  return { problems, targets: targets.size };
}

/** `<figure><img …><figcaption>`, `<Frame caption="…">`: the text stands beside the image. */
function isCaptioned(tags: readonly Tag[], start: number): boolean {
  const around = tags.findLast(({ end }) => end <= start);
  const isOpen = around !== undefined && !around.isClosing;
  return isOpen && (/^fig|^picture$/i.test(around.name) || captions.some((name) => around.attributes.has(name)));
}

const captions = ['caption', 'title', 'alt', 'hint', 'label', 'aria-label'];
