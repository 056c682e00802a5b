import { codeFiles, dataFiles } from '../../docs/frameworks/frameworks.ts';
import { isWrittenPage } from '../../docs/page-extensions.ts';
import { countInvisible } from '../../text/invisible.ts';
import type { BaseFiles, Change } from '../base-files.ts';
import type { GeneratedSetting } from '../generated/generated-paths.ts';
import { judgeGenerated } from '../generated/judge-generated.ts';
import { hideSecretFile } from '../hide-secrets.ts';
import type { Place } from '../places/find-place.ts';
import type { Layout } from '../places/read-layout.ts';
import { createRestrictionTest, type PushRestrictions } from '../write-rules.ts';
import type { ForeignReaders } from './foreign-readers.ts';
import { createPageJudge } from './judge-pages.ts';
import { judgeCode, judgeData, judgeOpened } from './judge-parts.ts';

const advice = 'Leave it as it is; if it has to change, say so in your summary';

/**
 * Returns why a change may not be made, written for the model: the rule, and the way out. Runs when the model writes, and again on the tree
 * that is about to be published. Depends on the change alone, so that both agree. The first refusal counts.
 */
export function createJudge(options: {
  base: BaseFiles;
  layout: Layout;
  findPlace(path: string): Place;
  /** Why a path is not among those that the settings allow. */
  findOutside(path: string): string | undefined;
  forbid: PushRestrictions | undefined;
  generated: GeneratedSetting | undefined;
  readers: ForeignReaders;
}): (change: Change) => Promise<string | undefined> {
  const { base, layout, findPlace, findOutside, forbid, generated, readers } = options;
  const findRestriction = createRestrictionTest(forbid);
  const judgePage = createPageJudge({
    base,
    findDialect: layout.findDialect,
    mayBeWritten: (path) => findPlace(path).kind === 'opened',
    read: readers.readPage,
    findSecrets: readers.findSecrets,
  });

  return async (change) => {
    const { path } = change;
    const place = findPlace(path);
    // A file that may not be read may not be replaced, removed or moved either.
    return (
      hideSecretFile(path) ??
      (place.kind === 'protected' ? `${path} is protected: ${place.reason}. ${advice}` : undefined) ??
      judgeGenerated(change, generated) ??
      findProgram(change, place) ??
      findForeignBytes(change, place) ??
      findOutside(path) ??
      findRestriction(change) ??
      (await judgeContent(change, place)) ??
      findAddedCharacters(change) ??
      // A table of contents is data and a page; what a page includes is part of it.
      judgePage(change, place.kind === 'opened' ? place.page : undefined)
    );
  };

  function judgeContent(change: Change, place: Place): Promise<string | undefined> | undefined {
    const { path } = change;
    switch (place.kind) {
      case 'data':
        return judgeData(change, place.file, (texts) =>
          readers.compareData({ file: dataFiles.indexOf(place.file), ...texts }),
        );
      case 'code':
        return judgeCode(change, place.file, (texts) =>
          readers.compareCode({ file: codeFiles.indexOf(place.file), path, ...texts }),
        );
      case 'opened':
        return judgeOpened(change, place, readers.compareOpened);
      case 'page':
      case 'media':
      case 'protected':
        return undefined;
    }
  }
}

/** Real documentation has pages whose mode is 100755: what is Markdown runs nothing, and keeps its mode. */
function findProgram({ path, before, after }: Change, { kind }: Place): string | undefined {
  const isPage = kind === 'page' && isWrittenPage(path);
  const becomes = after?.isExecutable && !before?.isExecutable;
  if (isPage ? becomes : before?.isExecutable || after?.isExecutable)
    return `${path} is protected: its mode makes it a program (100755). ${advice}`;
  return isScript(before?.text) || isScript(after?.text)
    ? `${path} is protected: a first line that begins with #! makes it a program. ${advice}`
    : undefined;
}

const isScript = (text: string | null | undefined): boolean => /^\uFEFF?#!/.test(text ?? '');

/** Media may be moved and removed, not written; everything else is text. */
function findForeignBytes({ path, after, base }: Change, { kind }: Place): string | undefined {
  if (after === null) return undefined;
  if (kind !== 'media') return after.text === null ? `${path} would not be UTF-8 text; leave it as it is` : undefined;
  return [...base.files.values()].some(({ sha }) => sha === after.sha)
    ? undefined
    : `${path} is protected: you may move and delete images and other media, not write them. Say in your summary which file a person has to add`;
}

const maxNamed = 5;
/** A page that has more is a person's work: counting them takes 20 ms. */
const maxCounted = 5_000;

/**
 * No file may gain invisible characters: they hide text from reviewers. Existing ones may stay, and move within their file and with it.
 * Those that a script or an emoji needs do not count.
 */
function findAddedCharacters({ path, before, after, base }: Change): string | undefined {
  if (after === null || after.text === null || after.sha === before?.sha) return undefined;
  const left = countInvisible(before?.text ?? '', maxCounted);
  const found = countInvisible(after.text, maxCounted);
  const added = [...found].filter(([character, count]) => count > (left.get(character) ?? 0));
  if (added.length === 0 || [...base.files.values()].some(({ sha }) => sha === after.sha)) return undefined;
  const names = added
    .slice(0, maxNamed)
    .map(([character]) => nameOf(character))
    .join(', ');
  const more = added.length > maxNamed ? ' and others' : '';
  return `${path} would gain invisible characters: ${names}${more}. Nobody can review what they hide. Write the text without them; those that the file has already may stay. In an example, write their name, such as \`U+200B\``;
}

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
