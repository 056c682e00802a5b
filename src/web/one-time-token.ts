import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 random bytes, in letters that need no escape in a URL or a cookie. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

const digest = (text: string) => createHash('sha256').update(text).digest();

/** A secret that opens a door once; `redeem` says whether it was this one, in a time that tells nothing about it. */
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
