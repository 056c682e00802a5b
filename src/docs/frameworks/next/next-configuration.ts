import { isMadeByCode } from '../../formats/is-made-by-code.ts';
import type { Script } from '../../formats/javascript.ts';
import type { FileTree } from '../../tree.ts';
import { toAddress } from '../addresses.ts';
import { type Redirects, readHostRedirects } from '../redirects/host-redirects.ts';
import { readObjectRedirects } from '../redirects/script-redirects.ts';

/** The addresses and redirects of `next.config`. https://nextjs.org/docs/app/api-reference/config/next-config-js/redirects */
export function readNextConfiguration(
  tree: FileTree,
  root: string,
  { file, script }: { file: string; script: Script },
): Redirects & {
  redirectCode: string | undefined;
  baseAddress: string;
  locales: string[];
  defaultLocale: string | undefined;
} {
  const host = readHostRedirects(tree, root);
  const redirects = [...readObjectRedirects(script, { file, from: 'source', to: 'destination' }), ...host.redirects];
  const readAll = (key: string) => script.strings.filter(({ keys }) => keys.at(-1) === key).map(({ value }) => value);
  return {
    redirects,
    redirectFiles: [
      ...new Set([
        ...redirects.map((redirect) => redirect.file),
        ...host.redirectFiles,
        ...(tree.paths.has(file) ? [file] : []),
      ]),
    ],
    redirectCode: isMadeByCode(tree.read(file), 'redirects') ? file : undefined,
    baseAddress: toAddress(readAll('basePath')[0] ?? '').replace(/^\/$/, ''),
    locales: readAll('locales'),
    defaultLocale: readAll('defaultLocale')[0],
  };
}
