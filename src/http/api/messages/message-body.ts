import { z } from 'zod';
import { findPromptProblem, maxPromptLength } from '../../../jobs/find-prompt-problem.ts';
import { mustBe } from '../requests/read-request.ts';

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

export const messageBody = z
  .strictObject({ prompt: promptSchema }, { error: mustBe('a JSON object') })
  .meta({ id: 'AddMessage' });
