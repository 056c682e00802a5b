import { decodeAddress } from '../decode-address.ts';
import type { Framework, NavigationEntry } from '../sites/framework.ts';
import { joinPath } from '../tree.ts';
import { findFolders, plainRules } from './plain.ts';

const entry = /(\]\(\s*)(?:<([^<>\n#]*)(?:#[^<>\n]*)?>|([^\s)#]+))/g;

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

const listEntries = (text: string, root: string, file: string): NavigationEntry[] => {
  let line = 1;
  let counted = 0;
  return Array.from(text.matchAll(entry), ({ 1: before = '', 2: bracketed, 3: bare, index }) => {
    line += text.slice(counted, index).split('\n').length - 1;
    counted = index;
    const written = bracketed ?? bare ?? '';
    const start = index + before.length + (bracketed === undefined ? 0 : 1);
    const path = decodeAddress(written);
    return { path, target: joinPath(root, path) ?? path, file, line, start, end: start + written.length };
  }).filter(({ path }) => path !== '' && !/^[a-z][a-z\d+.-]*:|^\//i.test(path));
};
