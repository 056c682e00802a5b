/** GitHub's limit for the body of a pull request or comment, in characters. */
export const maxBodyLength = 65_536;

/** Throws for a body that GitHub would refuse: after the push, a refusal would come too late. */
export function assertBodyLength(body: string): void {
  if (body.length > maxBodyLength)
    throw new Error(`a body of ${body.length} characters is longer than GitHub’s limit of ${maxBodyLength}`);
}
