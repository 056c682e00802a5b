import { isOpenToReaders } from '../../context/find-consent.ts';
import type { Visibility } from '../../github/calls/repository.ts';
import type { OccasionSubject } from '../../store/tables/columns.ts';
import { bound } from '../../text/bound.ts';
import type { OutgoingContext } from '../../text/neutralize/addresses.ts';
import { neutralizeBounded } from '../../text/neutralize/neutralize-markdown.ts';
import { writePlain } from '../../text/neutralize/write-code.ts';

/** What a pull request documents, as its readers may know it. */
export interface Documented {
  /** `acme/api#12`, which GitHub links both ways, or a text. */
  reference: string;
  title: string;
  author: string;
}

const hidden: Documented = {
  reference: 'A change in a repository that readers of this pull request may not see',
  title: '',
  author: '',
};

interface Seen {
  repositoryId: number;
  owner: string;
  visibility: Visibility;
}

/**
 * Pull requests, issues and releases, each once. Those of a repository that readers of the documentation may not see stay unnamed, and so do
 * those of one that is not among `opened`, the context repositories of this run.
 */
export function listDocuments(
  occasions: readonly OccasionSubject[],
  { documentation, opened }: { documentation: Seen; opened: readonly { repository: Seen }[] },
): Documented[] {
  const named = new Set(
    [
      documentation,
      ...opened.map(({ repository }) => repository).filter((one) => isOpenToReaders(one, documentation)),
    ].map(({ repositoryId }) => repositoryId),
  );
  const documented = occasions
    .filter(({ kind }) => kind === 'pull_request' || kind === 'issue' || kind === 'release')
    .map((occasion) => (named.has(occasion.repositoryId ?? 0) ? toDocumented(occasion) : hidden));
  return [...new Map(documented.map((each) => [each.reference, each])).values()];
}

function toDocumented({ kind, repository = '', number, title = '', author }: OccasionSubject): Documented {
  const by = author?.login ?? '';
  if (kind === 'release') return { reference: `${repository} ${title}`.trim(), title: '', author: by };
  return { reference: `${repository}#${number}`, title, author: by };
}

const maxTitleLength = 120;

const maxShown = 20;

/** The items of a list, each on a line. */
export function writeDocuments(documented: readonly Documented[], context: OutgoingContext): string[] {
  const more = documented.length - maxShown;
  const items = documented.slice(0, maxShown).map((each) => writeDocument(each, context));
  return more > 0 ? [...items, `- and ${more} more`] : items;
}

function writeDocument({ reference, title, author }: Documented, context: OutgoingContext): string {
  const said = [...(title ? [`: ${bound(title, maxTitleLength)}`] : []), ...(author ? [`, by ${author}`] : [])].join(
    '',
  );
  const isReference = /^[\w-]{1,100}\/[\w.-]{1,100}#\d{1,9}$/.test(reference);
  // The reference is ours; only what others wrote could do something.
  return `- ${isReference ? reference : write(reference, context)}${write(said, context)}`;
}

const write = (text: string, context: OutgoingContext): string =>
  text === '' ? '' : neutralizeBounded(writePlain(text, 400), 400, context);
