import type { RenderedPlace } from '../../github/calls/comment-calls.ts';
import { askGitHub } from '../../projects/ask-github.ts';
import type { OpenProject } from '../../projects/open-project.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { NewImage } from '../../store/tables/jobs/attachments.ts';
import type { Job } from '../../store/tables/jobs/jobs.ts';
import type { Message } from '../../store/tables/jobs/messages.ts';
import { findProject } from '../../store/tables/repositories/projects.ts';
import { listImages } from '../../text/list-images.ts';
import { findImageType, type Image, imageTypes, maxImageBytes, maxImages } from './image.ts';

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
        return downloadImage(url, signal);
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

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const longestAddress = 8_000;

/**
 * Where GitHub signs the addresses of what people drop into a comment. On GitHub Enterprise Server, it is the server itself, or its subdomain
 * for media. https://docs.github.com/en/enterprise-server/admin/configuring-settings/hardening-security-for-your-enterprise/enabling-subdomain-isolation
 */
function listImageOrigins(webUrl: string): string[] {
  const { protocol, host, origin } = new URL(webUrl);
  return origin === 'https://github.com'
    ? ['https://private-user-images.githubusercontent.com']
    : [origin, `${protocol}//media.${host}`];
}

/**
 * The signed address of an attachment, from the HTML that GitHub makes of the text. Only one that has the id of the attachment, and only at
 * one of the origins. Linear.
 */
function findSigned(
  rendered: string,
  { address, origins }: { address: string; origins: readonly string[] },
): string | undefined {
  const id = uuid.exec(address)?.[0].toLowerCase();
  if (id === undefined) return undefined;
  const signed = origins.flatMap((origin) => listAddresses(rendered, `${origin}/`));
  return signed.find((url) => new URL(url).search !== '' && new URL(url).pathname.toLowerCase().includes(id));
}

function listAddresses(rendered: string, start: string): string[] {
  const found: string[] = [];
  for (let at = rendered.indexOf(`"${start}`); at >= 0; at = rendered.indexOf(`"${start}`, at + 1)) {
    const rest = rendered.slice(at + 1, at + 1 + longestAddress);
    const end = rest.indexOf('"');
    const url = rest.slice(0, Math.max(end, 0)).replaceAll('&amp;', '&');
    if (url !== '' && URL.canParse(url)) found.push(url);
  }
  return found;
}

const longestMs = 15_000;

/** Follows no redirect, sends no credentials, and stops at the limit of an image. Throws the signal's reason only. */
async function downloadImage(url: string, signal: AbortSignal): Promise<Image | { problem: string }> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  try {
    const response = await fetch(url, { redirect: 'error', credentials: 'omit', signal: within });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return { problem: `GitHub answered ${response.status} for it` };
    }
    const content = await readBounded(response.body);
    if (content === undefined) return { problem: `it is larger than ${maxImageBytes / 1024 / 1024} MiB` };
    const mediaType = findImageType(content);
    return mediaType === undefined ? { problem: `it is none of ${imageTypes.join(', ')}` } : { mediaType, content };
  } catch {
    signal.throwIfAborted();
    return { problem: 'it could not be loaded from GitHub' };
  }
}

/** Undefined: it is too large. */
async function readBounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > maxImageBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
