import { checkDocumentation } from '../check-change.ts';
import type { Documentation } from '../documentation.ts';
import { deletePage } from '../moves/delete-page.ts';
import { movePage } from '../moves/move-page.ts';
import { moveSection } from '../moves/section/move-section.ts';
import { describeSites } from './describe-sites.ts';
import { findReferences } from './find-references.ts';
import { listChangedPages } from './list-changed-pages.ts';
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
