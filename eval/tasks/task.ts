import type { Check, Files } from '../checks/outcome.ts';

/** A remark on the first line of a file that has `text`. */
export interface Remark {
  path: string;
  text: string;
  body: string;
}

/** An instruction, or a review of the pull request that the earlier ones opened. */
export type Message = string | { review: string; remarks: readonly Remark[] };

export interface Task {
  /** The site and the task: `mkdocs/split-page`. */
  name: string;
  /** A folder of eval/sites. */
  site: string;
  /** Puts faults into the site first. */
  spoil?: (site: Files) => Files;
  /** Each is sent when the run of the one before has ended. */
  messages: readonly Message[];
  checks: readonly Check[];
}

/** The site with replacements in a few files. Throws if a text to replace is missing. */
export const spoilBy =
  (...edits: readonly { path: string; from: string; to: string }[]) =>
  (site: Files): Files => {
    const files = new Map(site);
    for (const { path, from, to } of edits) {
      const text = files.get(path);
      if (!text?.includes(from)) throw new Error(`${path} does not have ${from}`);
      files.set(
        path,
        text.replace(from, () => to),
      );
    }
    return files;
  };
