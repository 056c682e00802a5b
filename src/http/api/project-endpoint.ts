import { z } from 'zod';
import { findProject } from '../../store/tables/repositories/projects.ts';
import { describeResponse } from './description/responses.ts';
import {
  component,
  projectIdExample,
  repositoryExample,
  text,
  textOrNull,
  timeSchema,
} from './description/shared-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { resourceNotFound } from './requests/project-route.ts';

const contextSchema = component('ContextRepository', {
  repository: text('As the settings name it.', 'acme/api'),
  fullName: textOrNull('Its present name. `null`: it was never found.', 'acme/api'),
  ref: textOrNull('The branch. `null`: the default branch.', null),
  paths: z
    .array(z.string())
    .nullable()
    .meta({ description: '`null`: all files.', example: ['src/**'] }),
  state: text(
    '`ready`, or why it is not read: `itself`, `not_installed`, `suspended`, `permission_missing`, `settings_invalid`, `no_consent`, `not_public`, or `unknown` while GitHub does not answer.',
    'ready',
  ),
  problem: textOrNull('What is missing and where, for people.', null),
  checkedAt: timeSchema.nullable(),
});

const projectSchema = component('Project', {
  id: z.string().meta({ example: projectIdExample }),
  repository: text('Its address on GitHub.', repositoryExample),
  defaultBranch: z.string().meta({ example: 'main' }),
  problems: z.array(z.string()).meta({ description: 'Mistakes in the settings of the repository.', example: [] }),
  context: z.array(contextSchema).describe('The repositories that `context` in the settings names.'),
});

export const projectEndpoint: Endpoint = {
  method: 'get',
  path: '/project',
  operationId: 'getProject',
  summary: 'Get the project',
  description: 'The repository, the mistakes in its settings, and whether runs may read its context repositories.',
  answers: { 200: describeResponse('The project.', projectSchema) },
  handle: async (call, { config, readContextStates }) => {
    const project = await call.withDeadline(({ database }) => findProject(database, call.projectId));
    if (!project) throw resourceNotFound();
    const context = await readContextStates(project, call.left);
    const { project_id: id, owner, repo, default_branch: defaultBranch, settings_problems: problems } = project;
    const repository = `${config.github.webUrl}/${owner}/${repo}`;
    const body: z.infer<typeof projectSchema> = {
      id,
      repository,
      defaultBranch,
      problems,
      context: context.map(({ checkedAt, ...status }) => ({
        ...status,
        checkedAt: checkedAt?.toISOString() ?? null,
      })),
    };
    return { status: 200, body };
  },
};
