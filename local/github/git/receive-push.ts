import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { webUrlOf } from '../json/present.ts';
import { findChangedWorkflow, findViolations, refuseWorkflow } from '../rules/inspect-change.ts';
import type { Account } from '../state/account.ts';
import { hasPermission, type Permissions } from '../state/permissions.ts';
import type { Repository } from '../state/world.ts';
import { announceRefUpdate } from './announce-ref-update.ts';
import { formatRefusal, type PushCommand, parsePush } from './pkt-line.ts';
import { lines } from './read-git.ts';
import { GitError, runGit } from './run-git.ts';
import { type GitRequest, runHttpBackend } from './run-http-backend.ts';

interface GitAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Takes a push. Refuses all of it for a workflow or a branch rule, else git stores it and the events follow. */
export async function receivePush(
  repository: Repository,
  request: GitRequest,
  { pusher, permissions }: { pusher: Account; permissions: Permissions },
): Promise<GitAnswer> {
  const push = parsePush(request.contentEncoding === 'gzip' ? gunzipSync(request.body) : request.body);
  const refused = await inspectPush(repository, push, permissions);
  if (refused) {
    const { ref: refusedRef, reason, message, others } = refused;
    return refusal(formatRefusal(push, (ref) => (ref === refusedRef ? reason : others), message));
  }
  const notes = await mkdtemp(join(repository.world.directory, 'push-'));
  try {
    const answer = await runHttpBackend(repository.world.directory, request, { STAND_IN_NOTES: notes });
    for (const line of lines(await readReceived(notes))) {
      const [before = '', after = '', ref = ''] = line.split(' ');
      await announceRefUpdate(repository, { ref, before, after }, pusher);
    }
    return answer;
  } finally {
    await rm(notes, { recursive: true });
  }
}

/** The first problem of a push. */
async function inspectPush(
  repository: Repository,
  { commands, pack }: { commands: PushCommand[]; pack: Buffer },
  permissions: Permissions,
) {
  const { directory } = repository;
  await using quarantine = await openQuarantine(repository.world.directory, directory, pack);
  if (!quarantine) return undefined;
  const { environment } = quarantine;
  for (const command of commands) {
    const { ref } = command;
    const reasons = await findViolations(repository, command, environment);
    if (reasons.length > 0) {
      const reason = 'push declined due to repository rule violations';
      return { ref, reason, others: reason, message: describeViolations(repository, ref, reasons) };
    }
    if (hasPermission(permissions, 'workflows', 'write')) continue;
    const path = await findChangedWorkflow(directory, command, environment);
    if (path === undefined) continue;
    const reason = refuseWorkflow(path);
    return { ref, reason, others: 'failed', message: `${reason}\n` };
  }
  return undefined;
}

const describeViolations = (repository: Repository, ref: string, reasons: string[]): string =>
  `error: GH013: Repository rule violations found for ${ref}.
Review all repository rules at ${webUrlOf(repository)}/rules?ref=${encodeURIComponent(ref)}

${reasons.map((reason) => `- ${reason}\n`).join('\n')}
`;

const refusal = (body: Buffer): GitAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/x-git-receive-pack-result', 'cache-control': 'no-cache' },
  body,
});

async function readReceived(notes: string): Promise<string> {
  try {
    return await readFile(join(notes, 'received'), 'utf8');
  } catch {
    // The hook wrote nothing.
    return '';
  }
}

/**
 * Stores a push's objects beside the repository, to inspect them first. Disposing removes them. Undefined for a broken pack.
 * https://git-scm.com/docs/git-receive-pack#_quarantine_environment
 */
async function openQuarantine(root: string, directory: string, pack: Buffer) {
  const objects = await mkdtemp(join(root, 'quarantine-'));
  const environment = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(directory, 'objects') };
  const close = () => rm(objects, { recursive: true, force: true });
  try {
    if (pack.length > 0) await runGit(directory, ['index-pack', '--stdin', '--fix-thin'], { input: pack, environment });
  } catch (error) {
    await close();
    // git refuses the broken pack itself when it stores the push.
    if (error instanceof GitError) return undefined;
    throw error;
  }
  return { environment, [Symbol.asyncDispose]: close };
}
