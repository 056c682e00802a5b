import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 random bytes, in letters that need no escape in a URL or a cookie. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

const digest = (text: string) => createHash('sha256').update(text).digest();

/** A secret that is accepted once. `redeem` tells whether the given one is it and unused, in a time that reveals nothing about it. */
export function createOneTimeToken(): { value: string; redeem: (given: string) => boolean } {
  const value = randomSecret();
  const expected = digest(value);
  let isUsed = false;
  return {
    value,
    redeem(given) {
      const isRight = timingSafeEqual(digest(given), expected);
      if (!isRight || isUsed) return false;
      isUsed = true;
      return true;
    },
  };
}
