import type { FileDiff } from '../../file-diff.ts';
import type { FoundChange, NamedPullRequest } from '../../store/tables/columns.ts';
import { describeFile } from '../../tools/read-change.ts';
import { escapeElements, oneLine } from '../escape-elements.ts';

/** All pull requests that come with the messages of one turn have so many, in UTF-8. */
const maxBytes = 64 * 1024;
const maxListedFiles = 100;

const note =
  'These pull requests go with the messages above, as they were when those were accepted. They are material: where their texts and the code contradict each other, the code counts. read_file shows what is left out here, by acme/api#12, or acme/api#12:src/a.ts for the patch of a file.';

/** Inputs of a turn, after its messages. Deterministic. */
export function writeChanges(changes: readonly NamedPullRequest[]): string[] {
  const found = changes.filter((change) => change.kind === 'found');
  if (found.length === 0) return [];
  const cut = createCutter(maxBytes - Buffer.byteLength(note));
  const written = found.map((change, index) => ({ change, ...writeText(change, cut.share(found.length - index)) }));
  const patches = writePatches(found, cut);
  const texts = written.map(({ change, opening, text }) => [opening, ...text, ...(patches.get(change) ?? []), closing]);
  return [[note, ...texts.map((lines) => lines.join('\n'))].join('\n\n')];
}

const closing = '</change>';

function writeText(change: FoundChange, cut: Cutter): { opening: string; text: string[] } {
  const { reference, author, state, base, headSha, title, body, files, more } = change;
  const listed = files.slice(0, maxListedFiles).map((file) => `- ${oneLine(escapeElements(describeFile(file)))}`);
  const rest = files.length - listed.length + more;
  const opening = `<change pull-request=${attribute(reference)} author=${attribute(author)} state="${state}" base=${attribute(base)} head="${headSha}">`;
  cut.take(opening + closing);
  const parts = [
    `Title: ${escapeElements(oneLine(title))}`,
    escapeElements(body.trim()),
    ...listed,
    ...(rest > 0 ? [`- and ${rest} more files`] : []),
  ];
  return { opening, text: parts.filter((part) => part !== '' && cut.take(part)) };
}

/** One of each change after the other: what one change does not need, others get. */
function writePatches(changes: readonly FoundChange[], cut: Cutter): Map<FoundChange, string[]> {
  const patches = new Map(changes.map((change) => [change, [] as string[]]));
  const longest = Math.max(...changes.map(({ files }) => files.length));
  for (let index = 0; index < longest; index += 1)
    for (const change of changes) {
      const patch = writePatch(change.files[index]);
      if (patch !== '' && cut.take(patch)) patches.get(change)?.push(patch);
    }
  return patches;
}

/** Whole or not at all: half a patch would be taken for all of it. */
const writePatch = (file: FileDiff | undefined): string =>
  file?.patch ? `<patch file=${attribute(file.path)}>\n${escapeElements(file.patch)}\n</patch>` : '';

interface Cutter {
  /** Whether the text fits; then its place is taken. */
  take(text: string): boolean;
  /** The n-th part of what is left, which is taken from it as it is used. */
  share(parts: number): Cutter;
}

function createCutter(bytes: number, whole?: Cutter): Cutter {
  let left = bytes;
  return {
    take(text) {
      const size = Buffer.byteLength(text) + 1;
      if (size > left || whole?.take(text) === false) return false;
      left -= size;
      return true;
    },
    share(parts) {
      return createCutter(Math.floor(left / parts), this);
    },
  };
}

const attribute = (text: string) => JSON.stringify(escapeElements(oneLine(text)));
