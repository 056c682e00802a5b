import type { OccasionSubject } from '../store/tables/columns.ts';

/** For people: `acme/api#12`, `acme/api v1.2`, or when its schedule came. */
export function nameOccasion({ kind, repository, number, title = '' }: OccasionSubject): string {
  switch (kind) {
    case 'pull_request':
    case 'issue':
      return `${repository ?? 'a private repository'}#${number ?? '?'}`;
    case 'release':
      return `${repository ?? 'a private repository'} ${title}`.trim();
    case 'time':
    case 'request':
      return title;
  }
}
