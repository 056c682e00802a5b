import { z } from 'zod';
import { maxPromptLength } from '../../jobs/max-prompt-length.ts';
import { isBranchName } from '../../repository/is-branch-name.ts';

const mustBe = (what: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : `must be ${what}`;

const prompt = z
  .string({ error: mustBe('a string') })
  .trim()
  .refine(isPlainText, 'must not hold NUL characters or lone surrogates')
  .refine(hasPromptLength, `must have 1 to ${maxPromptLength.toLocaleString('en')} characters`)
  .meta({
    description: 'What to do, in plain words. Counted in Unicode code points, without the white space around it.',
    minLength: 1,
    maxLength: maxPromptLength,
    example: 'Document the new rate limit of 100 requests a minute on the errors page.',
  });

const ref = z
  .string({ error: mustBe('a string') })
  .refine(isBranchName, 'must be the name of a branch')
  .meta({
    description:
      'The branch to start from, which the pull request targets. Default: `base` of the repository’s settings, else its default branch.',
    minLength: 1,
    maxLength: 255,
    example: 'main',
  });

const draft = z.boolean({ error: mustBe('true or false') }).meta({
  description:
    'Whether the pull request is opened as a draft. Default: `draft` of the repository’s settings, else false.',
  example: false,
});

/** The bodies that the API takes. Fields that they do not name are ignored. */
export function createRequestSchemas({ models }: { models: [string, ...string[]] }) {
  const model = z.enum(models, { error: mustBe(`one of: ${models.join(', ')}`) }).meta({
    description: `The model that does the work. Default: \`model\` of the repository’s settings, else \`${models[0]}\`.`,
    example: models[0],
  });
  const error = mustBe('a JSON object');
  return {
    createJob: z
      .object({ prompt, ref: ref.optional(), model: model.optional(), draft: draft.optional() }, { error })
      .meta({ id: 'CreateJob' }),
    addMessage: z.object({ prompt }, { error }).meta({ id: 'AddMessage' }),
  };
}

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function hasPromptLength(text: string): boolean {
  const { length } = [...text];
  return length >= 1 && length <= maxPromptLength;
}
