import type { Tool } from '../agent/tool.ts';

type Arguments = Record<string, unknown>;

/** A run that began before an upgrade has these names in its conversation, so its model may call them again. */
const earlier: readonly { name: string; now: string; read: (args: Arguments) => Arguments }[] = [
  { name: 'outline', now: 'list_files', read: (args) => ({ ...args, titles: true }) },
  { name: 'find_references', now: 'search', read: ({ target }) => ({ pattern: target, output: 'references' }) },
  {
    name: 'read_change',
    now: 'read_file',
    read: ({ pull_request: change, path, ...rest }) => ({ ...rest, path: path ? `${change}:${path}` : change }),
  },
  { name: 'insert_text', now: 'edit_file', read: ({ text, ...rest }) => ({ ...rest, new_text: text }) },
];

/** Tools of earlier releases, by what `tools` do now. */
export const listEarlierTools = (tools: readonly Tool[]): Tool[] =>
  earlier.flatMap(({ name, now, read }) =>
    tools
      .filter((tool) => tool.name === now)
      .map((tool) => ({
        ...tool,
        name,
        call: (argumentsText, ...rest) => tool.call(readArguments(argumentsText, read), ...rest),
      })),
  );

function readArguments(text: string, read: (args: Arguments) => Arguments): string {
  try {
    return JSON.stringify(read(JSON.parse(text)));
  } catch {
    return text;
  }
}
