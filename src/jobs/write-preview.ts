import { previewEnd, previewStart } from '../effects/place-preview.ts';
import { bound } from '../text/bound.ts';
import { writeCode } from '../text/neutralize/write-code.ts';

/** A page of the change, as the publication of its run has it. */
interface PreviewedPage {
  path: string;
  address: string;
  base: string;
}

const maxPages = 10;
const maxUrlLength = 300;

/** The address of a deployed site; undefined: it is not one that may be linked to. */
export function parsePreviewUrl(text: string | null | undefined): string | undefined {
  if (!text || text.length > maxUrlLength) return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href;
}

/** The section of the description: a link to each changed page, at most ten. `url` is one of `parsePreviewUrl`. Pure. */
export function writePreview(url: string, pages: readonly PreviewedPage[]): string {
  const shown = pages.slice(0, maxPages);
  const more = pages.length - shown.length;
  const lines =
    shown.length === 0
      ? [`[The site](${escapeUrl(url)})`]
      : shown.map((page) => `- [${writeCode(bound(page.path, 200))}](${escapeUrl(toPageUrl(url, page))})`);
  return [
    previewStart,
    '## Preview',
    [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
    previewEnd,
  ].join('\n\n');
}

/** A deployment at the root of its host has the base path of the site; one below a path has it there already. */
function toPageUrl(site: string, { address, base }: PreviewedPage): string {
  const url = new URL(site);
  const folder = url.pathname.replace(/\/$/, '');
  const prefix = base === '' || folder !== '' ? '' : base;
  url.pathname = `${folder}${prefix}${address}`;
  return url.href;
}

/** Nothing in it ends the link or is Markdown. */
const escapeUrl = (url: string): string =>
  url.replace(/[()[\]<>"'`*_~\\|!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
