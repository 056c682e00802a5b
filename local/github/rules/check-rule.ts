import { z } from 'zod';
import type { CommitInfo } from '../git/read-git.ts';
import type { Rule } from './ruleset.ts';
import { matchesPattern } from './rulesets-of.ts';

/** A ref update as the rules see it. */
export interface Change {
  branch: string;
  kind: 'creation' | 'update' | 'deletion';
  isForced: boolean;
  /** The commits that are new to the repository, oldest first. */
  commits: CommitInfo[];
  /** The files of these commits; a deleted file has no size. */
  files: { path: string; bytes: number }[];
  isSigned(sha: string): boolean;
}

const pattern = z.object({
  operator: z.enum(['starts_with', 'ends_with', 'contains', 'regex']),
  pattern: z.string(),
  negate: z.boolean().default(false),
});
const statusChecks = z.object({
  required_status_checks: z.array(z.object({ context: z.string() })),
  do_not_enforce_on_create: z.boolean().default(false),
});
const restrictedPaths = z.object({ restricted_file_paths: z.array(z.string()) });
const restrictedExtensions = z.object({ restricted_file_extensions: z.array(z.string()) });
const longestPath = z.object({ max_file_path_length: z.number() });
const largestFile = z.object({ max_file_size: z.number() });

const bytesPerMegabyte = 1024 * 1024;

/** github.com's text for a broken rule, or undefined. A few texts are copied from its answers; the others only have the same meaning. */
export function checkRule({ type, parameters }: Rule, change: Change): string | undefined {
  const { kind, commits, files, branch } = change;
  switch (type) {
    case 'creation':
      return kind === 'creation' ? 'Cannot create ref due to creations being restricted.' : undefined;
    case 'update':
      return kind === 'update' ? 'Cannot update this protected ref.' : undefined;
    case 'deletion':
      return kind === 'deletion' ? 'Cannot delete this protected ref.' : undefined;
    case 'non_fast_forward':
      return change.isForced ? 'Cannot force-push to this branch.' : undefined;
    case 'pull_request':
      return commits.length > 0 || kind === 'update' ? 'Changes must be made through a pull request.' : undefined;
    case 'required_status_checks': {
      const { required_status_checks: checks, do_not_enforce_on_create: isLate } = statusChecks.parse(parameters);
      if (commits.length === 0 || (kind === 'creation' && isLate)) return undefined;
      return checks.map(({ context }) => `Required status check "${context}" is expected.`).join('\n- ') || undefined;
    }
    case 'required_signatures':
      return blame(
        'Commits must have verified signatures.',
        commits.filter(({ sha }) => !change.isSigned(sha)),
      );
    case 'required_linear_history':
      return blame(
        'This branch must not contain merge commits.',
        commits.filter(({ parents }) => parents.length > 1),
      );
    case 'branch_name_pattern':
      return kind === 'creation' && !isMatch(parameters, branch) ? describe('Branch name', parameters) : undefined;
    case 'commit_message_pattern':
      return blame(
        describe('Commit message', parameters),
        commits.filter(({ message }) => !isMatch(parameters, message)),
      );
    case 'commit_author_email_pattern':
      return blame(
        describe('Commit author email', parameters),
        commits.filter(({ author }) => !isMatch(parameters, author.email)),
      );
    case 'committer_email_pattern':
      return blame(
        describe('Committer email', parameters),
        commits.filter(({ committer }) => !isMatch(parameters, committer.email)),
      );
    case 'file_path_restriction': {
      const { restricted_file_paths: patterns } = restrictedPaths.parse(parameters);
      return point(
        'File path is restricted',
        files.filter(({ path }) => patterns.some((restricted) => matchesPattern(restricted, path, ''))),
      );
    }
    case 'file_extension_restriction': {
      const { restricted_file_extensions: extensions } = restrictedExtensions.parse(parameters);
      const isRestricted = (path: string) => extensions.some((text) => path.endsWith(`.${text.replace(/^\*?\./, '')}`));
      return point(
        'File extension is restricted',
        files.filter(({ path }) => isRestricted(path)),
      );
    }
    case 'max_file_path_length': {
      const { max_file_path_length: most } = longestPath.parse(parameters);
      return point(
        `File path is longer than ${most} characters`,
        files.filter(({ path }) => path.length > most),
      );
    }
    case 'max_file_size': {
      const { max_file_size: most } = largestFile.parse(parameters);
      return point(
        `File is larger than ${most} MB`,
        files.filter(({ bytes }) => bytes > most * bytesPerMegabyte),
      );
    }
    default:
      return undefined;
  }
}

const blame = (reason: string, commits: CommitInfo[]): string | undefined =>
  list(
    reason,
    commits.map(({ sha }) => sha),
  );

const point = (reason: string, files: Change['files']): string | undefined =>
  list(`${reason}.`, [...new Set(files.map(({ path }) => path))]);

function list(reason: string, culprits: string[]): string | undefined {
  if (culprits.length === 0) return undefined;
  const found = culprits.length === 1 ? '1 violation' : `${culprits.length} violations`;
  return `${reason}\n  Found ${found}:\n\n${culprits.map((culprit) => `  ${culprit}`).join('\n')}`;
}

function isMatch(parameters: unknown, text: string): boolean {
  const { operator, pattern: expected, negate } = pattern.parse(parameters);
  const matches = {
    starts_with: () => text.startsWith(expected),
    ends_with: () => text.endsWith(expected),
    contains: () => text.includes(expected),
    regex: () => new RegExp(expected).test(text),
  };
  return matches[operator]() !== negate;
}

function describe(what: string, parameters: unknown): string {
  const { operator, pattern: expected, negate } = pattern.parse(parameters);
  const verbs = { starts_with: 'start with', ends_with: 'end with', contains: 'contain', regex: 'match the pattern' };
  return `${what} must ${negate ? 'not ' : ''}${verbs[operator]}: ${expected}`;
}
