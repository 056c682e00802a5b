/** A call of a tool, as a model makes it. */
export type Call = readonly [name: string, args: object];

/** How a scripted model does a task, and how others fail at it. */
export interface TaskScript {
  /** The calls of each run. */
  right: readonly (readonly Call[])[];
  /** Beside those that leave out one of the right calls. `reason`: what the check says of it. */
  wrong?: readonly { reason: RegExp; runs: readonly (readonly Call[])[] }[];
}

export const edit = (path: string, oldText: string, newText: string): Call => [
  'edit_file',
  { path, old_text: oldText, new_text: newText },
];
export const editAll = (path: string, oldText: string, newText: string): Call => [
  'edit_file',
  { path, old_text: oldText, new_text: newText, replace_all: true },
];
export const write = (path: string, content: string): Call => ['write_file', { path, content }];
export const remove = (path: string): Call => ['delete_file', { path }];
/** Leaves all links as they are. */
export const move = (from: string, to: string): Call => ['move_file', { from, to, exclude: '**' }];
export const finish = (summary: string, more: object = {}): Call => ['finish', { summary, ...more }];
/** The end of a first run with changes. */
export const publish = (title: string, more: object = {}): Call =>
  finish(`${title}.`, { title, description: `${title}.`, ...more });

/** The same with another call before its end. */
export const and = (calls: readonly Call[], ...more: Call[]): Call[] => [
  ...calls.slice(0, -1),
  ...more,
  ...calls.slice(-1),
];

export const instead = (calls: readonly Call[], place: number, call: Call): Call[] =>
  calls.map((other, index) => (index === place || index - calls.length === place ? call : other));
