import { z } from 'zod';
import { maxPromptLength } from '../../jobs/add-message.ts';
import { isBranchName } from '../../repository/is-branch-name.ts';
import { modelExample } from './job-resource.ts';

const mustBe = (what: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : `must be ${what}`;

const prompt = z
  .string({ error: mustBe('a string') })
  .trim()
  .refine(isPlainText, 'must not contain NUL characters or lone surrogates')
  .refine(hasPromptLength, `must have 1 to ${maxPromptLength.toLocaleString('en')} characters`)
  .meta({
    description: 'The instruction, in plain words. Its length is counted in Unicode code points, after trimming.',
    minLength: 1,
    maxLength: maxPromptLength,
    example: 'Document the new rate limit of 100 requests a minute on the errors page.',
  });

const ref = z
  .string({ error: mustBe('a string') })
  .refine(isBranchName, 'must be a valid branch name')
  .meta({
    description:
      'The branch to start from and the target of the pull request. Default: `base` in the repository’s settings, otherwise the default branch.',
    minLength: 1,
    maxLength: 255,
    example: 'main',
  });

const draft = z.boolean({ error: mustBe('true or false') }).meta({
  description:
    'Whether to open the pull request as a draft. Default: `draft` in the repository’s settings, otherwise `false`.',
  example: false,
});

/** The request bodies of the API. They ignore unknown fields. */
export function createRequestSchemas({ models }: { models: [string, ...string[]] }) {
  const allowed = `one of: ${models.join(', ')}`;
  // The schema is not an enum: the public description would list the models.
  const model = z
    .string({ error: mustBe(allowed) })
    .refine((name) => models.includes(name), `must be ${allowed}`)
    .meta({
      description: 'The model to use, one of `OPENAI_MODELS`. Default: `model` in the repository’s settings.',
      example: modelExample,
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
