import { isOpenToReaders } from '../../context/find-consent.ts';
import { decodeText } from '../../workspace/decode-text.ts';
import type { Checkout } from '../checkout.ts';
import type { CheckedOutRun } from '../run-context.ts';
import { isInPages } from './find-new-secrets.ts';

/** Names of context repositories that readers of the pull request may not see, as far as that is known. */
function listPrivateNames({ repository, contextRepositories: { names, opened } }: Checkout): string[] {
  const open = opened.filter((each) => isOpenToReaders(each.repository, repository));
  const shown = new Set(
    open.flatMap((each) => [each.name, each.repository.fullName]).map((name) => name.toLowerCase()),
  );
  // Nobody asked who may see a repository that is not read.
  const isUnknownShown = repository.visibility === 'private';
  const secret = opened.filter((each) => !open.includes(each)).flatMap((each) => [each.name, each.repository.fullName]);
  return [...new Set(isUnknownShown ? secret : names)].filter((name) => !shown.has(name.toLowerCase()));
}

/** The whole of an address or path that begins with such a name. */
const toPattern = (name: string) =>
  new RegExp(
    `(?:https?://[\\w.:-]{1,100}/)?(?<![\\w-])@?${RegExp.escape(name)}(?![\\w-]|\\.\\w)(?:[/#][^\\s)\\]>"'\`]*)?`,
    'gi',
  );

/** Takes the names of such repositories, with addresses in them, out of texts that are published. */
export function createNameHider(checkout: Checkout): (text: string) => string {
  const patterns = listPrivateNames(checkout).map(toPattern);
  return (text) => patterns.reduce((hidden, pattern) => hidden.replace(pattern, 'a private repository'), text);
}

/** Where the written files name such a repository that no page of the base names, one phrase each. */
export async function findPrivateNames(context: CheckedOutRun, signal: AbortSignal): Promise<string[]> {
  const { checkout } = context;
  const names = listPrivateNames(checkout);
  if (names.length === 0) return [];
  const texts = [...checkout.workspace.writes()].map(([path, bytes]) => ({
    path,
    text: `${path}\n${(bytes && decodeText(bytes)) ?? ''}`,
  }));
  const found: string[] = [];
  for (const name of names) {
    const named = texts.filter(({ text }) => toPattern(name).test(text));
    if (named.length === 0 || (await isInPages(context, name, signal, ['-i']))) continue;
    found.push(...named.map(({ path }) => `${path} names ${name}`));
  }
  return found;
}
