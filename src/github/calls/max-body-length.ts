/** The most characters that GitHub takes for the body of a pull request or a comment. */
export const maxBodyLength = 65_536;

/** Throws for a body that GitHub would refuse: whoever writes it bounds it, and a refusal after the push would come too late. */
export function assertBodyLength(body: string): void {
  if (body.length > maxBodyLength) {
    throw new Error(`a body of ${body.length} characters is longer than the ${maxBodyLength} that GitHub takes`);
  }
}
