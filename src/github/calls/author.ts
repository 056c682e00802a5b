import { z } from 'zod';

/** Who wrote something. `userId` stays when the login changes. */
export interface Author {
  login: string;
  userId: number;
  isBot: boolean;
}

/** The account that GitHub names as the author; null for one that is deleted. */
export const authorSchema = z
  .object({ id: z.number(), login: z.string(), type: z.string() })
  .nullish()
  .transform((given): Author | null =>
    given ? { login: given.login, userId: given.id, isBot: given.type === 'Bot' } : null,
  );
