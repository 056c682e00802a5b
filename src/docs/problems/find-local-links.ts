import type { FoundProblem } from '../problem.ts';
import type { Site } from '../sites/open-sites.ts';
import type { FileTree } from '../tree.ts';

/** A page of an own server: tutorials name its root. */
const local = /^https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d{1,5})?(\/[^/?#][^?#]*)/i;
const maxText = 200;

/** Links to a page of this site on the server that its writer ran. Other links to the own computer belong to tutorials. */
export function findLocalLinks(tree: FileTree, site: Site): FoundProblem[] {
  if (site.framework.sites === undefined) return [];
  return [...site.pages].flatMap(([file, { links, lineOf }]) =>
    links.flatMap(({ target, start, form }): FoundProblem[] => {
      const address = target.startsWith('http') ? local.exec(target)?.[1] : undefined;
      if (address === undefined || form === 'autolink' || site.refuses?.(target, file)) return [];
      const page = findPage(site, address);
      if (page === undefined || namesServer(tree.read(file) ?? '', start)) return [];
      return [
        {
          file,
          line: lineOf(start),
          kind: 'localhost',
          severity: 'should',
          target,
          describe: () =>
            `link ${target} leads to the computer of its reader. ${page} is a page of this site: ${address}`,
        },
      ];
    }),
  );
}

function findPage({ byAddress, baseAddress }: Site, address: string): string | undefined {
  const plain = address.toLowerCase().replace(/\/$|\.html$/, '');
  return (
    byAddress.get(plain) ??
    (plain.startsWith(`${baseAddress}/`) ? byAddress.get(plain.slice(baseAddress.length)) : undefined)
  );
}

/** The link's text says where it leads. */
const namesServer = (text: string, start: number): boolean =>
  /localhost|\d\.\d|::1/i.test(
    text
      .slice(Math.max(0, start - maxText), start)
      .split('\n')
      .at(-1)
      ?.split('[')
      .at(-1) ?? '',
  );
