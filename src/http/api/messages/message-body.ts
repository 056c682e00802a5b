import { createHash } from 'node:crypto';
import { z } from 'zod';
import { findImageType, type Image, imageTypes, maxImageBytes, maxImages } from '../../../context/images/image.ts';
import { findPromptProblem, maxPromptLength } from '../../../jobs/find-prompt-problem.ts';
import { bodyLimits } from '../../bodies/body-budget.ts';
import { mustBe } from '../requests/read-request.ts';

const describeSize = (bytes: number) => `${bytes / 1024 / 1024} MiB`;

export const promptSchema = z
  .string({ error: mustBe('a string') })
  .trim()
  .superRefine((text, context) => {
    const message = findPromptProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .meta({
    description: 'The instruction, in plain words. Its length is counted in Unicode code points, after trimming.',
    minLength: 1,
    maxLength: maxPromptLength,
    example: 'Document the new rate limit of 100 requests a minute on the errors page.',
  });

const imageSchema = z
  .strictObject(
    {
      mediaType: z
        .enum(imageTypes, { error: mustBe(`one of: ${imageTypes.join(', ')}`) })
        .describe('The format of the image. Its first bytes must agree.'),
      data: z
        .string({ error: mustBe('a string') })
        .describe(`The image in base64, at most ${describeSize(maxImageBytes)} without it.`),
    },
    { error: (issue) => (issue.code === 'unrecognized_keys' ? 'takes only mediaType and data' : 'must be an object') },
  )
  .transform(({ mediaType, data }, context): Image => {
    const content = Buffer.from(data, 'base64');
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', path: ['data'], message });
      return z.NEVER;
    };
    if (content.length === 0 || content.toString('base64') !== data) return refuse('must be base64, with padding');
    if (content.length > maxImageBytes) return refuse(`must not exceed ${describeSize(maxImageBytes)}`);
    const found = findImageType(content);
    if (found === mediaType) return { mediaType, content };
    return refuse(found === undefined ? `must be an image: ${imageTypes.join(', ')}` : `is ${found}, not ${mediaType}`);
  });

/** `isOn`: the models of the service see images. */
export const imagesSchema = ({ isOn }: { isOn: boolean }) =>
  z
    .array(imageSchema, { error: mustBe('a list of images') })
    .max(maxImages, `must not have more than ${maxImages} images`)
    .refine((images) => isOn || images.length === 0, 'cannot be sent: the models of this service see no images')
    .optional()
    .describe(
      `Images that belong to the instruction, at most ${maxImages} of ${describeSize(maxImageBytes)}. Only if the operator has set \`OPENAI_IMAGES=true\`.`,
    );

export const createMessageBody = ({ images: isOn }: { images: boolean }) =>
  z
    .strictObject({ prompt: promptSchema, images: imagesSchema({ isOn }) }, { error: mustBe('a JSON object') })
    .meta({ id: 'AddMessage' });

/** Images as their digests: for the content of a request. */
export const digestImages = (images: readonly Image[]): string[] =>
  images.map(({ content }) => createHash('sha256').update(content).digest('base64'));

export const maxBodyBytes = ({ images }: { images: boolean }): number => (images ? bodyLimits.large : bodyLimits.small);
