import { extensionOf, isProse } from '../docs/page-extensions.ts';
import type { Secret } from '../secrets/find-secrets.ts';
import { isSecretPath } from '../secrets/is-secret-path.ts';

/** Finds keys of known formats in a text. */
export type FindSecrets = (text: string) => Promise<readonly Secret[]>;

/** Hides files that by their names hold secrets, such as `.env`: why one is neither read nor replaced, removed or moved. For the model. */
export const hideSecretFile = (path: string): string | undefined =>
  isSecretPath(path)
    ? `${path} is not shown: it may hold secrets. Work without it; if a page needs something of it, say so in your summary`
    : undefined;

/** Folders that hold what a repository shows anyway: they configure its host and its editors. */
const openFolders = /(?<![^/])\.(?:github|gitlab|gitea|forgejo|circleci|vscode|devcontainer)\//g;

/** Whether a build may not read a file into a page: its name or its folder hides it. */
export const isHiddenFile = (path: string): boolean =>
  /(?:^|\/)\.[^./]/.test(path.replace(openFolders, '')) || isSecretPath(path);

/**
 * Returns why a text is not shown to the model: it holds a key. Pages are shown, because they are published; a text file is a page only for
 * some frameworks.
 */
export async function findSecretRefusal(
  { path, text }: { path: string; text: string },
  findSecrets: FindSecrets,
): Promise<string | undefined> {
  if (isProse(path) && extensionOf(path) !== 'txt') return undefined;
  const secret = (await findSecrets(text)).find(({ isHarmless }) => !isHarmless);
  return (
    secret &&
    `${path} is not shown: it holds what looks like a secret (a ${secret.kind}). Work without it, and name the file in your summary, so that people can move the secret`
  );
}
