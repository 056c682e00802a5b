import { decodeAddress } from '../decode-address.ts';
import type { Framework, NavigationEntry } from '../sites/framework.ts';
import { joinPath } from '../tree.ts';
import { findFolders, plainRules } from './plain.ts';

const entry = /\]\(\s*(?:<([^<>\n]*)>|([^\s)]+))/g;

/** https://gitbook.com/docs/getting-started/git-sync/content-configuration, https://rust-lang.github.io/mdBook/format/summary.html */
export const gitbook: Framework = {
  name: 'GitBook',
  findRoots: ({ paths }) => findFolders(paths, /(?:^|\/)SUMMARY\.md$/),
  open(tree, root) {
    const file = joinPath(root, 'SUMMARY.md') ?? '';
    return {
      ...plainRules(root),
      isMdx: () => false,
      linkRoots: [root],
      areSlugsLoose: true,
      navigation: listEntries(tree.read(file) ?? '', root, file),
      navigationFile: file,
      mustBeListed: (path) => !path.includes('/.gitbook/'),
    };
  },
};

const listEntries = (text: string, root: string, file: string): NavigationEntry[] =>
  text.split('\n').flatMap((line, index) =>
    Array.from(line.matchAll(entry), ([, bracketed, bare]) =>
      decodeAddress((bracketed ?? bare ?? '').split('#', 1)[0] ?? ''),
    )
      .filter((target) => target !== '' && !/^[a-z][a-z\d+.-]*:|^\//i.test(target))
      .map((target) => ({ target: joinPath(root, target) ?? target, file, line: index + 1 })),
  );
