import { githubSlug } from '../pages/slugs.ts';
import type { Framework } from '../sites/framework.ts';
import { isBelow, joinPath } from '../tree.ts';
import { findFolders, plainRules, withoutExtension, withoutIndex } from './plain.ts';

const configuration = /(?:^|\/)astro\.config\.[cm]?[jt]s$/;
const language = /^\/([a-z]{2,3}(?:-[a-z]{2,4})?)(?=\/|$)/i;

/** https://starlight.astro.build/guides/pages/, https://starlight.astro.build/guides/i18n/ */
export const starlight: Framework = {
  name: 'Starlight',
  findRoots: (tree) =>
    findFolders(tree.paths, configuration).filter((folder) =>
      [...tree.paths].some((path) => isBelow(path, joinPath(folder, 'src/content/docs') ?? '')),
    ),
  open(_tree, root) {
    const folder = joinPath(root, 'src/content/docs') ?? '';
    return {
      ...plainRules(root),
      isPage: (path) => isBelow(path, folder) && /\.(?:md|mdx|mdoc)$/.test(path),
      isMdx: (path) => path.endsWith('.mdx'),
      addressesOf(path, { frontMatter: { data } }) {
        const below =
          typeof data.slug === 'string' ? data.slug : withoutIndex(withoutExtension(path.slice(folder.length + 1)));
        return [`/${below.toLowerCase()}`];
      },
      // A page that a language does not have is served in the default language.
      alternatives: (address) => (language.test(address) ? [address.replace(language, '') || '/'] : []),
      staticFolders: [joinPath(root, 'public') ?? ''],
      linkRoots: [],
      relativeLinks: 'both',
      areAbsoluteLinksChecked: true,
      slug: githubSlug,
    };
  },
};
