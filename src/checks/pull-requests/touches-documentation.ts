import { isDocumentation } from '../../docs/is-documentation.ts';

/** GitHub lists no more of a pull request: https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files */
const maxListed = 3_000;

/** Whether the files of a pull request, as GitHub lists them, have documentation, or may have it among those that are not listed. */
export const touchesDocumentation = (files: readonly { path: string; previousPath: string | null }[]): boolean =>
  files.length >= maxListed ||
  files.some(
    ({ path, previousPath }) => isDocumentation(path) || (previousPath !== null && isDocumentation(previousPath)),
  );
