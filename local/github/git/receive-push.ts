import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hasPermission, type Permissions } from '../permissions.ts';
import type { Account, Repository, World } from '../world.ts';
import { announceRefUpdate } from './announce-ref-update.ts';
import { formatRefusal, type PushCommand, parsePushCommands } from './pkt-line.ts';
import { lines, zeroSha } from './read-git.ts';
import { type GitRequest, runHttpBackend } from './run-http-backend.ts';

interface GitAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Takes a push: refuses it whole for a workflow or a branch rule, else lets git store it and tells the world what moved. */
export async function receivePush(
  world: World,
  repository: Repository,
  request: GitRequest,
  { pusher, permissions }: { pusher: Account; permissions: Permissions },
): Promise<GitAnswer> {
  const push = parsePushCommands(request.contentEncoding === 'gzip' ? gunzipSync(request.body) : request.body);
  const broken = push.commands.find((command) => breaksRule(repository, command));
  if (broken) {
    const message = `error: GH013: Repository rule violations found for ${broken.ref}.\n`;
    return refusal(formatRefusal(push, () => 'push declined due to repository rule violations', message));
  }
  const notes = await mkdtemp(join(world.directory, 'push-'));
  try {
    const answer = await runHttpBackend(world.directory, request, {
      STAND_IN_NOTES: notes,
      STAND_IN_MAY_CHANGE_WORKFLOWS: hasPermission(permissions, 'workflows', 'write') ? '1' : '',
    });
    const [refusedRef, ...path] = (await readNote(notes, 'refused')).trim().split(' ');
    if (refusedRef) {
      const reason = `refusing to allow a GitHub App to create or update workflow \`${path.join(' ')}\` without \`workflows\` permission`;
      return refusal(formatRefusal(push, (ref) => (ref === refusedRef ? reason : 'failed'), `${reason}\n`));
    }
    for (const line of lines(await readNote(notes, 'received'))) {
      const [before = '', after = '', ref = ''] = line.split(' ');
      await announceRefUpdate(world, repository, { ref, before, after }, pusher);
    }
    return answer;
  } finally {
    await rm(notes, { recursive: true });
  }
}

/** Rules that no push by an App without a bypass passes. https://docs.github.com/en/rest/repos/rules */
function breaksRule(repository: Repository, { before, after, ref }: PushCommand): boolean {
  const types = (repository.rules.get(ref.replace('refs/heads/', '')) ?? []).map(({ type }) => type);
  if (types.includes('pull_request') || types.includes('required_signatures')) return true;
  return types.includes(before === zeroSha ? 'creation' : after === zeroSha ? 'deletion' : 'update');
}

const refusal = (body: Buffer): GitAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/x-git-receive-pack-result', 'cache-control': 'no-cache' },
  body,
});

async function readNote(notes: string, name: string): Promise<string> {
  try {
    return await readFile(join(notes, name), 'utf8');
  } catch {
    // The hook had nothing to say.
    return '';
  }
}
