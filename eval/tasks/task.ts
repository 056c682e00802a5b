import { opensPullRequest } from '../checks/answers.ts';
import { isSound } from '../checks/docs.ts';
import type { Check, Files } from '../checks/outcome.ts';

/** A remark on the first line of a file that has `text`. */
export interface Remark {
  path: string;
  text: string;
  body: string;
}

/** An instruction, or a review of the pull request that the earlier ones opened. */
export type Message = string | { review: string; remarks: readonly Remark[] };

/** A pull request of the code. By path: the text of a new file, or replacements in a file; null removes it. */
export interface Merged {
  title: string;
  body?: string;
  edits: Readonly<Record<string, string | null | Readonly<Record<string, string>>>>;
}

export interface Task {
  /** The site and the task: `mkdocs/split-page`. */
  name: string;
  /** A folder of eval/sites. */
  site: string;
  /** Puts faults into the site first. */
  spoil?: (site: Files) => Files;
  /** An automation starts the job when these are merged. `code`: a folder of eval/sites, or the site's own. */
  follows?: { code: string; merged: readonly Merged[] };
  /** Each is sent when the run of the one before has ended. */
  messages: readonly Message[];
  checks: readonly Check[];
  /** Lines that are to go; all other sentences stay. */
  drops?: RegExp;
}

/** A task as its file has it: the first part of its name is its site. */
export interface TaskText {
  name: string;
  spoil?: (site: Files) => Files;
  /** One message, or several. */
  asks?: string;
  messages?: readonly Message[];
  /** What a pull request does that is sound beside it; `checks`: the whole judgement, of a task that is judged in another way. */
  changes?: readonly Check[];
  checks?: readonly Check[];
  drops?: RegExp;
}

export const toTask = ({ asks, messages, changes, checks, ...text }: TaskText): Task => ({
  ...text,
  site: text.name.split('/')[0] ?? '',
  messages: messages ?? (asks === undefined ? [] : [asks]),
  checks: checks ?? [opensPullRequest, ...(changes ?? []), isSound],
});

/** The site with replacements in a few files. Throws if a text to replace is missing. */
export const spoilBy =
  (...edits: readonly { path: string; from: string; to: string }[]) =>
  (site: Files): Files =>
    edits.reduce(
      (files, { path, from, to }) => files.set(path, replaceIn(path, files.get(path), { [from]: to })),
      new Map(site),
    );

/** What the pull request makes of its files, by path. Throws if a text to replace is missing. */
export const listEdits = (code: Files, { edits }: Merged): [path: string, text: string | null][] =>
  Object.entries(edits).map(([path, edit]) => [
    path,
    typeof edit === 'object' && edit !== null ? replaceIn(path, code.get(path), edit) : edit,
  ]);

export function merge(code: Files, merged: Merged): Files {
  const files = new Map(code);
  for (const [path, text] of listEdits(code, merged)) {
    if (text === null) files.delete(path);
    else files.set(path, text);
  }
  return files;
}

function replaceIn(path: string, text: string | undefined, replacements: Readonly<Record<string, string>>): string {
  let replaced = text ?? '';
  for (const [from, to] of Object.entries(replacements)) {
    if (!replaced.includes(from)) throw new Error(`${path} does not have ${from}`);
    replaced = replaced.replace(from, () => to);
  }
  return replaced;
}
