import { type Excerpt, hasExcerpt } from '../pages/list-excerpts.ts';
import type { Page } from '../pages/read-page.ts';
import type { FoundProblem } from '../problem.ts';
import { findPart } from '../sites/find-part.ts';
import type { Site } from '../sites/open-sites.ts';
import type { FileTree } from '../tree.ts';

/** Parts of files that a page shows and that these no longer have, and the files that were read. Files that are gone are imports. */
export function findLostExcerpts(
  tree: FileTree,
  site: Site,
  path: string,
  { excerpts = [], lineOf }: Page,
): { problems: FoundProblem[]; files: string[] } {
  const found = excerpts.flatMap((excerpt) => {
    const file = findPart(tree, site, path, excerpt.target);
    const text = file === undefined ? undefined : tree.read(file);
    return file === undefined || text === undefined ? [] : [{ excerpt, file, text }];
  });
  return {
    files: found.map(({ file }) => file),
    problems: found
      .filter(({ excerpt, file, text }) => !hasExcerpt(text, excerpt) && !isHeading(site, file, excerpt))
      .map(
        ({ excerpt, file }): FoundProblem => ({
          file: path,
          line: lineOf(excerpt.start),
          kind: 'excerpt',
          severity: 'should',
          target: `${file} ${excerpt.kind} ${excerpt.value}`,
          describe: () => `${file} has no ${names[excerpt.kind]} ${excerpt.value}, which this page shows`,
        }),
      ),
  };
}

const names: Record<Excerpt['kind'], string> = {
  region: 'region or tag',
  line: 'line',
  text: 'line with',
  object: 'class or function',
};

/** A section of a page, by its anchor. */
function isHeading({ pages, slug }: Site, file: string, { kind, value }: Excerpt): boolean {
  const headings = kind === 'region' ? (pages.get(file)?.headings ?? []) : [];
  return headings.some(({ text, id }) => id === value || fold(slug(text)) === fold(value));
}

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
