import { decodeFile, type ReadFileAt } from '../../../../diffs/read-files.ts';
import { askGitHub } from '../../../../projects/ask-github.ts';
import type { Job } from '../../../../store/tables/jobs/jobs.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';
import type { RunTask, ThreadTask } from '../../../../threads/threads.ts';
import { fillGaps, joinBefore, readPatch } from '../changes/patch-lines.ts';
import type { FoundChanges } from '../changes/read-changes.ts';
import type { PreviewInput } from './render-preview.ts';
import { nameMarkup } from './to-markdown.ts';

/** Markdown of foreign texts can take long. Only threads load the renderer. */
export const renderPreview = async (input: PreviewInput) => (await import('./render-preview.ts')).renderPreview(input);
const previewTask: ThreadTask<PreviewInput, string> = { module: import.meta.url, work: renderPreview };

export const versions = ['marked', 'after', 'before'] as const satisfies PreviewInput['version'][];
export type PreviewVersion = (typeof versions)[number];

/** `sentence`: why there is no page. */
export type FoundPreview =
  | { kind: 'none'; sentence: string }
  | {
      kind: 'page';
      pages: string[];
      path: string;
      version: PreviewVersion;
      content: string | undefined;
      sentence: string;
    };

const isPage = (path: string) => /\.(?:md|mdx|markdown|mdc|mdoc|qmd|rst|adoc|asciidoc)$/i.test(path);
function describeMarkup(path: string): string {
  const name = nameMarkup(path);
  return name === undefined
    ? ''
    : `${name} is shown plainly: directives are boxes, and what is not known stays as it is written.`;
}

const gitHubWaitMs = 3_000;
/** A thread that is ended while it loads its code would never have loaded it. */
const renderWaitMs = 10_000;

/** Never throws: a change can be read without its preview. */
export function createReadPreview({ readFile, runTask }: { readFile: ReadFileAt; runTask: RunTask }) {
  return async (options: {
    project: Project;
    job: Job;
    changes: FoundChanges;
    /** The path that is asked for; default: the first page. */
    page: string | undefined;
    version: PreviewVersion;
    /** The address of images of the job's commit. */
    imagesUrl: string | undefined;
  }): Promise<FoundPreview> => {
    const { project, job, changes, page, version, imagesUrl } = options;
    if (changes.kind === 'unknown') return { kind: 'none', sentence: changes.sentence };
    if (changes.kind === 'none')
      return { kind: 'none', sentence: 'The pages appear here when the agent has published its change.' };
    const { files } = changes.diff;
    const pages = files.filter(({ path }) => isPage(path));
    const file = pages.find(({ path }) => path === page) ?? pages[0];
    if (!file) return { kind: 'none', sentence: 'No page that can be shown changed. See the changes.' };
    const shown = { kind: 'page', pages: pages.map(({ path }) => path), path: file.path, version } as const;
    try {
      const signal = AbortSignal.timeout(gitHubWaitMs);
      const asked = await askGitHub(async () =>
        file.status === 'removed'
          ? null
          : (decodeFile(await readFile({ project, of: { job }, path: file.path, signal })) ?? null),
      );
      if (asked.kind !== 'answered')
        return { ...shown, content: undefined, sentence: 'GitHub did not return the page.' };
      const lines = fillGaps(readPatch(file.patch), asked.result ?? '');
      const before = file.status === 'added' ? null : joinBefore(lines);
      return {
        ...shown,
        content: await runTask(
          previewTask,
          { before, after: asked.result, version, path: file.path, imagesUrl },
          AbortSignal.timeout(renderWaitMs),
        ),
        sentence: describeMarkup(file.path),
      };
    } catch {
      const sentence = 'The page is too long or too hard to read to be shown here. See the changes.';
      return { ...shown, content: undefined, sentence };
    }
  };
}
