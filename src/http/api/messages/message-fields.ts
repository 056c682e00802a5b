import { z } from 'zod';
import { messageSources, messageStates } from '../../../store/tables/columns.ts';
import { messageIdExample, timeSchema } from '../description/parameters.ts';

/** What every answer that holds messages shows of them. */
export const messageFields = {
  id: z.string().meta({ example: messageIdExample }),
  state: z.enum(messageStates).meta({ example: 'answered' }),
  source: z.enum(messageSources),
  author: z.string().meta({
    description: 'A GitHub login, the name of an API key or automation, or who ran `pagewright jobs`.',
    example: 'ci',
  }),
  createdAt: timeSchema,
};
