import { checkDocumentation } from '../check-change.ts';
import type { Documentation } from '../documentation.ts';
import { deletePage } from '../moves/delete-page.ts';
import { movePage } from '../moves/move-page.ts';
import { moveSection } from '../moves/section/move-section.ts';
import { describeSites } from './describe-sites.ts';
import { findReferences } from './find-references.ts';
import { outline } from './outline.ts';

/** A new question is one pure `(documentation, input) => answer` and one line here. It runs in the run's thread: its values are cloned. */
const questions = {
  check: checkDocumentation,
  overview: describeSites,
  references: findReferences,
  move: movePage,
  deletion: deletePage,
  sectionMove: moveSection,
  outline,
  changedPages: listChangedPages,
} satisfies Record<string, (documentation: Documentation, input: never) => unknown>;

type Table = typeof questions;

export type Questions = {
  [Name in keyof Table]: { input: Parameters<Table[Name]>[1]; answer: ReturnType<Table[Name]> };
};

const table: {
  [Name in keyof Questions]: (about: Documentation, input: Questions[Name]['input']) => Questions[Name]['answer'];
} = questions;

export const answerQuestion = <Name extends keyof Questions>(
  documentation: Documentation,
  question: Name,
  input: Questions[Name]['input'],
): Questions[Name]['answer'] => table[question](documentation, input);

interface ChangedPage {
  path: string;
  /** Below the site's start, absolute, without a slash at the end. */
  address: string;
  /** The prefix that a deployed site may have before its addresses. Empty: none. */
  base: string;
  isNew: boolean;
}

const maxPages = 50;

/** A question: the pages that the change adds or rewrites, with their addresses, new ones first. Pages of no known site have none. */
function listChangedPages({ base, head }: Documentation, _input: Record<string, never>): ChangedPage[] {
  const changed = head.sites.flatMap((site) => {
    if (site.framework.sites === undefined) return [];
    return [...site.pages].flatMap(([path, page]): ChangedPage[] => {
      const [address] = site.addressesOf(path, page);
      const isNew = !base.tree.paths.has(path);
      if (address === undefined || (!isNew && base.tree.read(path) === head.tree.read(path))) return [];
      return [{ path, address, base: site.baseAddress, isNew }];
    });
  });
  return changed.toSorted((one, other) => Number(other.isNew) - Number(one.isNew)).slice(0, maxPages);
}
