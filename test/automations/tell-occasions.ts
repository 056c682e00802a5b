import { inject } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import type { AutomationParts } from '../../src/automations/automation-parts.ts';
import { type Happening, noteHappening } from '../../src/automations/note-happening.ts';
import { runDue, sendDueAutomations } from '../../src/automations/run-due.ts';
import { syncAutomations } from '../../src/automations/sync-automations.ts';
import { createGitHubApp } from '../../src/github/auth/app.ts';
import { createSilentLog } from '../../src/log.ts';
import { defaultSettings, parseSettings } from '../../src/repository/settings.ts';
import { takeStepDirectly } from '../../src/steps.ts';
import { transact } from '../../src/store/postgres/database.ts';
import { inTransaction, type Store } from '../../src/store/store.ts';
import { storeSettings } from '../../src/store/tables/repositories/projects.ts';
import { noRedaction } from '../../src/text/redact.ts';
import { runInline } from '../../src/threads/threads.ts';
import { noChanges } from '../support/values/no-changes.ts';

/** What automations need, of a GitHub that is never asked: the occasions of these tests name no repository of it. */
export const createAutomationParts = (store: Store, runsPerDay = 100_000): AutomationParts => {
  const webUrl = 'https://github.com';
  return {
    ...store,
    github: createGitHubApp({ appId: '1', privateKey: inject('privateKey'), apiUrl: 'http://127.0.0.1:9', webUrl }),
    secrets: noRedaction,
    runTask: runInline,
    openProject: () => Promise.reject(new Error('GitHub is not asked here')),
    changes: noChanges,
    webUrl,
    models: ['gpt-test'],
    limits: { rateLimit: 0 },
    runsPerDay,
    takeStep: takeStepDirectly,
    log: createSilentLog(),
  };
};

/** A project whose settings have these automations. */
export async function createAutomated({ database }: Store, repositoryId: number, automations: string): Promise<string> {
  const repo = `docs-${repositoryId}`;
  const { projectId } = await createProject(database, { repo, repositoryId });
  const { settings, problems } = parseSettings(`automations:\n${automations.replaceAll('REPO', `acme/${repo}`)}`);
  if (problems.length > 0) throw new Error(problems.join('; '));
  await transact(database, async (tx) => {
    await storeSettings(tx, projectId, { settings: { ...defaultSettings, ...settings }, problems: [] });
    await syncAutomations(tx, projectId);
  });
  return projectId;
}

const happen = (repositoryId: number, nth: number): Happening => ({
  key: `merged:${repositoryId}:${nth}`,
  repositoryId,
  subject: { kind: 'request', title: `change ${nth} of ${repositoryId}` },
  occurredAt: new Date(Date.now() + 1_000),
  isTriggerOf: ({ kind }) => kind === 'merged',
});

/**
 * Tells each occasion of each project several times, in any order, while automations are run: by many at once, as processes do. Returns the
 * titles of the occasions that messages carry.
 */
export async function tellOccasions(
  parts: AutomationParts,
  { projects, occasions, times, random }: { projects: number; occasions: number; times: number; random: () => number },
): Promise<string[]> {
  const { database } = parts;
  const { signal } = new AbortController();
  const ids = Array.from({ length: projects }, (_, index) => index + 1);
  const projectIds: string[] = [];
  for (const id of ids)
    projectIds.push(await createAutomated(parts, id, '  follow:\n    on: {merged: REPO}\n    prompt: Follow.\n'));
  const told = ids.flatMap((id) =>
    Array.from({ length: occasions * times }, (_, index) => happen(id, index % occasions)),
  );
  const shuffled = told.map((one) => ({ one, at: random() })).toSorted((a, b) => a.at - b.at);
  const queue = [...shuffled];
  const tell = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const { one } = next;
      await inTransaction(parts, (store) => noteHappening(store, one));
      const projectId = projectIds[Math.floor(random() * projectIds.length)] ?? '';
      if (random() < 0.2) await runDue(parts, { projectId, name: 'follow' }, signal);
    }
  };
  await Promise.all(Array.from({ length: 8 }, tell));
  for (const projectId of projectIds) await runDue(parts, { projectId, name: 'follow' }, signal);
  await sendDueAutomations(parts, signal);
  const messages = await database.selectFrom('messages').select('context').execute();
  return messages.flatMap(({ context }) => (context?.occasions ?? []).map(({ title = '' }) => title));
}
