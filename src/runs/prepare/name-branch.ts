import { firstLine } from '../../text/bound.ts';

const maxSlugLength = 40;

/** All branches of jobs are below it. */
export const branchFolder = 'pagewright';

/** `pagewright/<slug of the pull request's title>-<end of the job's id>`. Branch rules can name the prefix. The end of a TypeID is random. */
export function nameBranch({ jobId, title }: { jobId: string; title: string }): string {
  const words =
    firstLine(title, 200)
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words
    .join('-')
    .slice(0, maxSlugLength)
    .replace(/-[^-]*$/, (rest) => (words.join('-').length > maxSlugLength ? '' : rest));
  return `${branchFolder}/${[slug, jobId.slice(-8)].filter(Boolean).join('-')}`;
}
