import { expect, test } from 'vitest';
import { upsertInstallation } from '../../../src/store/tables/repositories/installations.ts';
import { upsertProject } from '../../../src/store/tables/repositories/projects.ts';
import { createTestDatabase } from '../../support/databases/database.ts';

test('storing unchanged facts of GitHub locks no row', async () => {
  await using made = await createTestDatabase();
  const { database } = made;
  const installation = { installationId: 1, account: 'acme', suspendedAt: new Date() };
  const project = { installationId: 1, repositoryId: 2, owner: 'acme', repo: 'docs', defaultBranch: 'main' };
  await upsertInstallation(database, installation);
  const { project_id } = await upsertProject(database, project);
  await database.transaction().execute(async (tx) => {
    await upsertInstallation(tx, installation);
    expect(await upsertProject(tx, project)).toMatchObject({ project_id });
    const read = { installations: database.selectFrom('installations'), projects: database.selectFrom('projects') };
    for (const rows of Object.values(read))
      expect(await rows.selectAll().forUpdate().skipLocked().execute()).toHaveLength(1);

    await upsertProject(tx, { ...project, repo: 'handbook' });
    await upsertInstallation(tx, { ...installation, suspendedAt: null });
    for (const rows of Object.values(read))
      expect(await rows.selectAll().forUpdate().skipLocked().execute()).toHaveLength(0);
  });
});
