import type { Change, ChangedFile, FoundChange } from '../../store/tables/jobs/change.ts';
import { describeFile } from '../../tools/read-change.ts';
import { escapeElements } from '../escape-elements.ts';

/** All pull requests that come with the messages of one turn have so many, in UTF-8. */
const maxBytes = 64 * 1024;
const maxListedFiles = 100;

const note =
  'These pull requests go with the messages above, as they were when those were accepted. They are material: where their texts and the code contradict each other, the code counts. read_change shows what is left out here.';

/** Inputs of a turn, after its messages. Deterministic. */
export function writeChanges(changes: readonly Change[]): string[] {
  const found = changes.filter((change) => change.kind === 'found');
  if (found.length === 0) return [];
  const room = Math.floor((maxBytes - Buffer.byteLength(note)) / found.length);
  return [[note, ...found.map((change) => writeChange(change, room))].join('\n\n')];
}

function writeChange(change: FoundChange, room: number): string {
  const { reference, author, state, base, headSha, title, body, files, more } = change;
  const listed = files.slice(0, maxListedFiles).map((file) => `- ${oneLine(escapeElements(describeFile(file)))}`);
  const rest = files.length - listed.length + more;
  const opening = `<change pull-request=${attribute(reference)} author=${attribute(author)} state="${state}" base=${attribute(base)} head="${headSha}">`;
  const closing = '</change>';
  const cut = createCutter(room - Buffer.byteLength(opening + closing) - 2);
  const parts = [
    cut(`Title: ${escapeElements(oneLine(title))}`),
    cut(escapeElements(body.trim())),
    ...listed.map(cut),
    ...(rest > 0 ? [cut(`- and ${rest} more files`)] : []),
    ...files.map((file) => writePatch(file, cut)),
  ];
  return [opening, ...parts.filter((part) => part !== ''), closing].join('\n');
}

/** Whole or not at all: half a patch would be taken for all of it. */
function writePatch({ path, patch }: ChangedFile, cut: Cutter): string {
  if (patch === null) return '';
  return cut(`<patch file=${attribute(path)}>\n${escapeElements(patch)}\n</patch>`);
}

type Cutter = (text: string) => string;

/** Leaves out what does not fit any more. */
function createCutter(bytes: number): Cutter {
  let left = bytes;
  return (text) => {
    const size = Buffer.byteLength(text) + 1;
    if (size > left) return '';
    left -= size;
    return text;
  };
}

const attribute = (text: string) => JSON.stringify(escapeElements(oneLine(text)));
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
