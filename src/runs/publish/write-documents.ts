import { isMoreSecret } from '../../context/find-consent.ts';
import type { Repository } from '../../github/calls/repository.ts';
import type { OccasionSubject } from '../../store/tables/columns.ts';
import { bound } from '../../text/bound.ts';
import type { OutgoingContext } from '../../text/neutralize/addresses.ts';
import { neutralizeBounded } from '../../text/neutralize/neutralize-markdown.ts';

/** What a pull request documents, as its readers may know it. */
export interface Documented {
  /** `acme/api#12`, which GitHub links both ways, or a text. */
  reference: string;
  title: string;
  author: string;
}

const hidden: Documented = {
  reference: 'A change in a repository that not all readers may see',
  title: '',
  author: '',
};

/** Pull requests, issues and releases, each once. Those of a repository that fewer people may see than the documentation stay unnamed. */
export function listDocuments(
  occasions: readonly OccasionSubject[],
  documentation: Pick<Repository, 'repositoryId' | 'visibility'>,
): Documented[] {
  const documented = occasions
    .filter(({ kind }) => kind === 'pull_request' || kind === 'issue' || kind === 'release')
    .map((occasion) => (mayBeNamed(occasion, documentation) ? toDocumented(occasion) : hidden));
  return [...new Map(documented.map((each) => [each.reference, each])).values()];
}

/** False in doubt. */
function mayBeNamed(
  { repositoryId, visibility }: OccasionSubject,
  documentation: Pick<Repository, 'repositoryId' | 'visibility'>,
): boolean {
  if (repositoryId === documentation.repositoryId) return true;
  return visibility !== undefined && !isMoreSecret({ visibility }, documentation);
}

function toDocumented({ kind, repository = '', number, title = '', author }: OccasionSubject): Documented {
  const by = author?.login ?? '';
  if (kind === 'release') return { reference: `${repository} ${title}`.trim(), title: '', author: by };
  return { reference: `${repository}#${number}`, title, author: by };
}

const maxShown = 20;
const maxTitleLength = 120;

export function writeDocuments(documented: readonly Documented[], context: OutgoingContext): string {
  const lines = documented.slice(0, maxShown).map(({ reference, title, author }) => {
    const said = [...(title ? [`: ${bound(title, maxTitleLength)}`] : []), ...(author ? [`, by ${author}`] : [])].join(
      '',
    );
    const isReference = /^[\w-]{1,100}\/[\w.-]{1,100}#\d{1,9}$/.test(reference);
    // The reference is ours; only what others wrote could do something.
    const name = isReference ? reference : write(reference, context);
    return `- ${name}${write(said, context)}`;
  });
  const more = documented.length - maxShown;
  return ['## Documents', [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')].join('\n\n');
}

const write = (text: string, context: OutgoingContext): string =>
  text === '' ? '' : neutralizeBounded(text.replace(/\s+/g, ' ').replace(syntax, '\\$&'), 400, context);

/** Characters with a meaning in Markdown; in a title they are plain text. */
const syntax = /[\\`*_~[\]<>|$]/g;
