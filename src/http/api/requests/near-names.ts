import { findNearestName } from '../../../find-nearest-name.ts';

/** The first name of each row is ours; GitHub and other APIs use the others for the same thing. */
const synonyms = [
  ['ref', 'branch', 'base', 'basebranch', 'target', 'targetbranch'],
  ['prompt', 'text', 'message', 'instruction', 'instructions', 'content', 'input', 'task', 'body'],
  ['draft', 'isdraft'],
  ['images', 'image', 'attachments', 'attachment', 'files', 'pictures', 'screenshots'],
  ['status', 'state', 'statuses', 'filter'],
  ['pullRequest', 'pr', 'pull', 'prnumber', 'pullrequestnumber', 'pullnumber', 'number'],
  ['limit', 'perpage', 'pagesize', 'size', 'count', 'first', 'max'],
  ['cursor', 'nextcursor', 'page', 'pagetoken', 'after', 'before', 'startingafter', 'next', 'offset'],
];

/** Completes a sentence that begins with the unknown name. */
export function describeUnknown(name: string, known: readonly string[]): string {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  const synonym = synonyms.find((names) => names.includes(plain))?.[0];
  const nearest = synonym && known.includes(synonym) ? synonym : findNearestName(name, known);
  if (nearest !== undefined) return `is unknown: did you mean \`${nearest}\`?`;
  return known.length === 0 ? 'is unknown: this route takes none' : `is unknown: use only ${known.join(', ')}`;
}
