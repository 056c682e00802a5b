import type { Checked } from '../../docs/check-change.ts';
import { describeCounts } from '../../docs/describe-problems.ts';
import type { Problem } from '../../docs/problem.ts';
import type { Conclusion, NewAnnotation } from '../../github/calls/check-calls.ts';
import { bound } from '../../text/bound.ts';
import { withoutInvisible } from '../../text/invisible.ts';
import { writePlain } from '../../text/neutralize/write-code.ts';

export const checkName = 'Pagewright docs';
const maxAnnotations = 500;
const maxMessageLength = 1_000;
const maxNotes = 10;

export interface WrittenCheck {
  conclusion: Conclusion;
  title: string;
  summary: string;
  annotations: NewAnnotation[];
}

/** `advise` blocks nobody; `require` fails on what must be fixed. Pure. */
export function writeCheck(checked: Checked | undefined, { mode }: { mode: 'advise' | 'require' }): WrittenCheck {
  if (checked === undefined)
    return {
      conclusion: 'neutral',
      title: 'The documentation was not checked',
      summary:
        'The checks took too long or failed, so links, syntax and navigation were not checked. Run them again, or run `check-docs` in CI.',
      annotations: [],
    };
  const { problems, notChecked } = checked;
  const listed = problems.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxAnnotations);
  const must = problems.filter(({ severity }) => severity === 'must').length;
  const should = problems.length - must;
  const counts = [
    ...(must > 0 ? [`${must} ${must === 1 ? 'problem' : 'problems'} must be fixed`] : []),
    ...(should > 0 ? [`${should} should be`] : []),
  ];
  const notes = notChecked.slice(0, maxNotes).map((note) => `- ${plain(note)}`);
  const { checkedLinks: links, parsedPages: pages, unparsedPages: unparsed, navigation } = checked;
  const looked = describeCounts({ links, pages, unparsed, navigation });
  const nothing = `No new problems${notes.length + unparsed > 0 ? ' in what was checked' : ''}`;
  const title = counts.length > 0 ? counts.join(', ') : looked === '' ? 'Nothing was checked' : nothing;
  const more = problems.length - listed.length;
  return {
    conclusion: mode === 'advise' ? 'neutral' : must > 0 ? 'failure' : 'success',
    title,
    summary: [
      `${title}.${looked === '' ? '' : ` Checked: ${looked}.`}`,
      ...(problems.length > 0
        ? ['Only what this pull request brings counts, also in files that it does not touch.']
        : []),
      ...(more > 0 ? [`${more} more problems have no annotation.`] : []),
      ...(notes.length > 0 ? [`Not checked:\n\n${notes.join('\n')}`] : []),
    ].join('\n\n'),
    annotations: listed.map(({ file, line, kind, severity, message }) => ({
      path: file,
      line: Math.max(line, 1),
      level: severity === 'must' ? 'failure' : 'warning',
      title: kind,
      message: bound(withoutInvisible(message), maxMessageLength),
    })),
  };
}

const rank = ({ severity }: Problem): number => (severity === 'must' ? 0 : 1);

/** It may name files of the pull request: nothing in it is Markdown. */
const plain = (text: string): string => writePlain(withoutInvisible(text), 300).replace(/[@#!]/g, '\\$&');
