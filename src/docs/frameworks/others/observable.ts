import { type Framework, markedBy } from '../framework.ts';
import { scriptNames } from '../scripts.ts';

/** https://observablehq.com/framework/markdown: code blocks of its languages run, and so does what stands in `${…}`. */
export const observable: Framework = {
  name: 'Observable Framework',
  markers: markedBy(...scriptNames('observablehq.config')),
  dialect: { cells: 'every', copiesFiles: true },
};
