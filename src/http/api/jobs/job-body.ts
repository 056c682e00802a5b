import { z } from 'zod';
import { isBranchName, isOtherRef, stripBranchPrefix } from '../../../repository/is-branch-name.ts';
import { imagesSchema, promptSchema } from '../messages/message-body.ts';
import { mustBe } from '../requests/read-request.ts';
import { modelExample } from './job-resource.ts';

const ref = z
  .string({ error: mustBe('a string') })
  .refine((name) => !isOtherRef(name), 'must be a branch')
  .overwrite(stripBranchPrefix)
  .refine(isBranchName, 'must be a valid branch name')
  .meta({
    description:
      'The branch to start from, also as `refs/heads/…`, and the target of the pull request. Default: `base` in the repository’s settings, otherwise the default branch.',
    minLength: 1,
    maxLength: 255,
    example: 'main',
  });

const draft = z.boolean({ error: mustBe('true or false') }).meta({
  description:
    'Whether to open the pull request as a draft. Default: `draft` in the repository’s settings, otherwise `false`.',
  example: false,
});

/** The body of a new job. */
export function createJobBody({ models, images: isOn = false }: { models: readonly string[]; images?: boolean }) {
  const allowed = `one of: ${models.join(', ')}`;
  // The schema is not an enum: the public description would list the models.
  const model = z
    .string({ error: mustBe(allowed) })
    .refine((name) => models.includes(name), `must be ${allowed}`)
    .meta({
      description:
        'The model to use, `OPENAI_MODEL` or one of `OPENAI_MODELS`. Default: `model` in the repository’s settings, otherwise `OPENAI_MODEL`.',
      example: modelExample,
    });
  return z
    .strictObject(
      {
        prompt: promptSchema,
        ref: ref.optional(),
        model: model.optional(),
        draft: draft.optional(),
        images: imagesSchema({ isOn }),
      },
      { error: mustBe('a JSON object') },
    )
    .meta({ id: 'CreateJob' });
}
