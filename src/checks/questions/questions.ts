import { checkDocumentation } from '../check-change.ts';
import type { Documentation } from '../documentation.ts';
import { describeSites } from './describe-sites.ts';
import { findReferences } from './find-references.ts';
import { movePage } from './move-page.ts';
import { outline } from './outline.ts';

/**
 * What a run may ask about its documentation. A new question is one pure function `(documentation, input) => answer` and one line here:
 * it runs in the run's thread. Inputs and answers are cloned, so they hold no functions.
 */
const questions = {
  check: checkDocumentation,
  overview: describeSites,
  references: findReferences,
  move: movePage,
  outline,
} satisfies Record<string, (documentation: Documentation, input: never) => unknown>;

type Table = typeof questions;

/** Inputs and answers by the question's name. */
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
