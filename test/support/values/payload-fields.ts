import { z } from 'zod';
import { commonFields, fieldsOf } from '../../../src/deliveries/payload.ts';

/** What the payloads about pull requests have, each only some of it. */
export const payloadFields = z.object({
  ...commonFields,
  ...z.object(fieldsOf).omit({ repository: true }).partial().shape,
});
