import { listChanged } from '../checks/files.ts';
import { readTaskFiles } from '../read-site.ts';
import type { Task } from '../tasks/task.ts';
import { type Figures, measure } from './measure.ts';
import { CannotSend, type Conversation, openConversation } from './open-conversation.ts';
import type { Stage } from './open-stage.ts';
import { settingsPath, startByMerges, writeSettings } from './start-by-merges.ts';

export interface Played extends Figures {
  reasons: string[];
  codes: string[];
  answer: string;
  changed: string[];
}

/**
 * Does one task, from its first message to the end of its last run. After `limitMs` the job is cancelled, and its result so far is checked.
 * Throws `ModelServerDown`, and the signal's reason.
 */
export async function playTask(
  stage: Stage,
  { task, owner, limitMs, signal }: { task: Task; owner: string; limitMs: number; signal: AbortSignal },
): Promise<Played> {
  const { site, code, before: found } = await readTaskFiles(task);
  const { follows } = task;
  const isShared = follows?.code === task.site;
  const [first] = task.messages;
  const conversation = await openConversation(stage, {
    owner,
    files: isShared ? code : found,
    signal,
    async begin(project, caller) {
      if (follows) return startByMerges(stage, { owner, project, files: code, merged: follows.merged, isShared });
      if (typeof first === 'string') return (await caller.create(first)).id;
      throw new Error(`${task.name} does not begin with an instruction`);
    },
  });
  const before = follows ? new Map(found).set(settingsPath, writeSettings(owner, { isShared })) : found;
  const broken = await converse(conversation, { later: task.messages.slice(follows ? 0 : 1), limitMs });
  const ends = await conversation.readEnds();
  const after = await conversation.readHead();
  const outcome = { site, before, after, pullRequest: await conversation.readPullRequest(), ends };
  return {
    ...(await measure(stage.world.database.database, conversation.jobId)),
    reasons: [...broken, ...task.checks.flatMap((check) => check(outcome))],
    codes: ends.map(({ code }) => code),
    answer: ends.at(-1)?.answer ?? '',
    changed: listChanged(before, after),
  };
}

/** Returns why the conversation broke off. */
async function converse(
  conversation: Conversation,
  { later, limitMs }: { later: Task['messages']; limitMs: number },
): Promise<string[]> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    await conversation.untilEnded(limit);
    for (const message of later) {
      await conversation.say(message);
      await conversation.untilEnded(limit);
    }
    return [];
  } catch (error) {
    if (error instanceof CannotSend) return [error.message];
    if (error !== limit.reason) throw error;
    await conversation.cancel();
    return [`it took longer than ${limitMs / 60_000} minutes`];
  }
}
