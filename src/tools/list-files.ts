import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import { compileGlob, type GlobTest, maxGlobLength } from '../workspace/policy/glob.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { cutLine, formatCount, type ToolLimits } from './limits.ts';

/** One second at most. A hundred thousand paths against `**` and a few names need half of these steps. */
const maxGlobSteps = 50_000_000;
const maxEchoCharacters = 200;

export const createListFilesTool = (workspace: Workspace, limits: ToolLimits): Tool =>
  createTool({
    name: 'list_files',
    description:
      'Lists the files in the repository, or in one folder. If there are too many, it lists folders with their file counts: narrow the list with path or glob.',
    arguments: z.object({
      path: z.string().optional().describe('Only files below this folder, for example docs/guides.'),
      glob: z
        .string()
        .optional()
        .describe(
          'Only matching files, for example *.md or docs/**/*.mdx. Supports *, **, ? and {a,b}. A glob without / matches file names.',
        ),
    }),
    execute({ path = '', glob }) {
      const echo = (text: string) => cutLine(text, maxEchoCharacters);
      const folder = path.split('/').filter((part) => part !== '' && part !== '.');
      const prefix = folder.length === 0 ? '' : `${folder.join('/')}/`;
      const matches = glob === undefined ? () => true : compileBelow(prefix, glob);
      if (matches === null) {
        return toolError(
          `invalid glob; use *, **, ? and a few {a,b}, not nested, and at most ${maxGlobLength} characters`,
        );
      }
      const all = workspace.listFiles();
      const below = all.filter((file) => file.startsWith(prefix));
      if (below.length === 0 && prefix !== '') {
        const isFile = all.includes(prefix.slice(0, -1));
        return toolError(
          isFile
            ? `${echo(path)} is a file; use read_file to read it`
            : `there is no folder ${echo(path)}; call list_files without path to list the top level`,
        );
      }
      const files: string[] = [];
      for (const file of below) {
        const isMatch = matches(file);
        if (isMatch === null) {
          return toolError('the glob is too complex; use a simpler one');
        }
        if (isMatch) {
          files.push(file);
        }
      }
      if (files.length === 0) {
        return toolOk(`none of ${formatCount(below.length)} files matches ${echo(glob ?? prefix)}`);
      }
      return showFiles(files, limits);
    },
  });

/** A glob that starts with the first name of the folder's path is relative to the root, any other glob to the folder. */
function compileBelow(prefix: string, glob: string): GlobTest | null {
  const matches = compileGlob(glob.includes('/') ? glob : `**/${glob}`, { maxSteps: maxGlobSteps });
  const isFromRoot = glob.split('/')[0] === prefix.split('/')[0];
  return matches === null || isFromRoot ? matches : (file) => matches(file.slice(prefix.length));
}

function showFiles(files: readonly string[], limits: ToolLimits): ToolResult {
  const isWhole = files.length <= limits.maxFiles;
  const rows = isWhole ? files : foldPaths(files, limits.maxFiles);
  const shown: string[] = [];
  let characters = 0;
  for (const row of rows.slice(0, limits.maxFiles)) {
    characters += row.length + 1;
    if (characters > limits.maxCharacters) {
      break;
    }
    shown.push(row);
  }
  const rest = rows.length - shown.length;
  const advice = 'Call again with path or glob to list the files of one folder.';
  return toolOk(
    [
      ...(isWhole ? [] : [`${formatCount(files.length)} files are too many to list. ${advice}`]),
      ...shown,
      ...(rest > 0 ? [`... and ${formatCount(rest)} more${isWhole ? `. ${advice}` : ''}`] : []),
    ].join('\n'),
  );
}

const maxDepth = 8;

/** Groups paths by folder, as deep as fits in `maxRows`, and at least one level deep. */
function foldPaths(paths: readonly string[], maxRows: number): string[] {
  const split = paths.map((path) => ({ path, ends: findFolderEnds(path) }));
  let rows: string[] = [];
  for (let depth = 1; depth <= maxDepth; depth += 1) {
    const counts = new Map<string, number>();
    for (const { path, ends } of split) {
      const key = path.slice(0, ends[depth - 1]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    if (depth > 1 && counts.size > maxRows) {
      break;
    }
    rows = Array.from(counts, ([key, count]) => (key.endsWith('/') ? `${key} (${formatCount(count)} files)` : key));
  }
  return rows;
}

function findFolderEnds(path: string): number[] {
  const ends: number[] = [];
  for (let at = path.indexOf('/'); at !== -1 && ends.length < maxDepth; at = path.indexOf('/', at + 1)) {
    ends.push(at + 1);
  }
  return ends;
}
