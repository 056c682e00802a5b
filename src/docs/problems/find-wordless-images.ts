import type { Tag } from '../pages/list-tags.ts';
import type { FoundProblem } from '../problem.ts';
import type { Site } from '../sites/open-sites.ts';
import { fromPage } from '../tree.ts';

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
