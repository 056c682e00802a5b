import type { RenderedPlace } from '../../github/calls/comment-calls.ts';
import { askGitHub } from '../../projects/ask-github.ts';
import type { OpenProject } from '../../projects/open-project.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { NewImage } from '../../store/tables/jobs/images.ts';
import type { Job } from '../../store/tables/jobs/jobs.ts';
import type { Message } from '../../store/tables/jobs/messages.ts';
import { findProject } from '../../store/tables/repositories/projects.ts';
import { listImages } from '../../text/list-images.ts';
import { downloadImage } from './download-image.ts';
import { findSigned, listImageOrigins } from './find-signed.ts';
import { maxImages } from './image.ts';

/** Reads the images of a message's text, each with why it could not be read. Throws the signal's reason only. */
export type ReadImages = (message: Message, job: Job, signal: AbortSignal) => Promise<NewImage[]>;

const notStored = 'only images in comments on GitHub, which GitHub stores, are read';
const tooMany = `of each message, the first ${maxImages} are read`;

/** The text that was accepted says which images count; GitHub's HTML of it, which may have been edited since, only where they are. */
export function createImageReader(options: {
  database: Database;
  openProject: OpenProject;
  webUrl: string;
}): ReadImages {
  const { database, openProject, webUrl } = options;
  const origins = listImageOrigins(webUrl);

  async function fetchRendered(place: RenderedPlace, { project_id: projectId }: Job, signal: AbortSignal) {
    const project = await findProject(database, projectId);
    if (!project) return undefined;
    const asked = await askGitHub(async () => {
      await using access = await openProject(project, { issues: 'read', pull_requests: 'read' }, signal);
      return await access.client.fetchRendered(place);
    });
    signal.throwIfAborted();
    return asked.kind === 'answered' ? asked.result : undefined;
  }

  return async (message, job, signal) => {
    const addresses = listImages(message.prompt);
    const place = findPlace(message, job);
    if (!place) return addresses.map((address) => ({ address, problem: notStored }));
    const rendered = await fetchRendered(place, job, signal);
    const images: NewImage[] = [];
    for (const [index, address] of addresses.entries()) {
      const read = async (): Promise<NewImage> => {
        if (index >= maxImages) return { problem: tooMany };
        if (rendered === undefined) return { problem: 'GitHub did not say where they are' };
        const url = findSigned(rendered, { address, origins });
        if (url === undefined) return { problem: notStored };
        const downloaded = await downloadImage(url, signal);
        return downloaded.kind === 'image' ? downloaded.image : { problem: downloaded.problem };
      };
      images.push({ address, ...(await read()) });
    }
    return images;
  };
}

/** Where on GitHub the text of a message stands. */
function findPlace(
  { source_key: key, context }: Message,
  { pull_request_number: own }: Job,
): RenderedPlace | undefined {
  const [, kind, id] = /^(comment|issue|pull_request|review):(\d+)$/.exec(key) ?? [];
  const number = context?.conversation?.number ?? own;
  if (kind === 'comment') return { kind, commentId: Number(id) };
  // A pull request is an issue, too.
  if (kind === 'issue' || kind === 'pull_request') return { kind: 'issue', number: Number(id) };
  return kind === 'review' && number !== null ? { kind, number, reviewId: Number(id) } : undefined;
}
