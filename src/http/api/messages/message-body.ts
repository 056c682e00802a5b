import { z } from 'zod';
import { maxPromptLength } from '../../../jobs/add-message.ts';
import { mustBe } from '../requests/read-request.ts';

export const promptSchema = z
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

export const messageBody = z
  .strictObject({ prompt: promptSchema }, { error: mustBe('a JSON object') })
  .meta({ id: 'AddMessage' });

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function hasPromptLength(text: string): boolean {
  const { length } = [...text];
  return length >= 1 && length <= maxPromptLength;
}
