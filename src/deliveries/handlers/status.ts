import { z } from 'zod';
import { defineEvent } from '../github-event.ts';
import { mayConcernHead, noteHead, notePreviewOf } from '../heads.ts';
import { fieldsOf } from '../payload.ts';

/** Read the Docs names its project: https://docs.readthedocs.com/platform/stable/pull-requests.html */
const namesPreview = /preview|deploy|readthedocs/i;
/** They show how something was built, not what: a job named "deploy-docs" of CircleCI links there. */
const builders =
  `app.netlify.com appveyor.com buildkite.com circleci.com cirrus-ci.com codefresh.io dash.cloudflare.com dev.azure.com
  github.com semaphoreci.com travis-ci.com travis-ci.org vercel.com visualstudio.com`.split(/\s+/);

/** Whether a successful status leads to what it made of the documentation. */
export function isOfPreview({ context, url }: { context: string; url: string }): boolean {
  const host = URL.parse(url)?.host ?? '';
  const isOfBuild = builders.some((name) => host === name || host.endsWith(`.${name}`));
  return namesPreview.test(context) && !isOfBuild;
}

/** GitHub sends it for a commit, without an action. */
export const status = defineEvent({
  name: 'status',
  fields: {
    repository: fieldsOf.repository,
    sha: z.string(),
    state: z.string(),
    context: z.string(),
    target_url: z.string().nullish(),
  },
  handle: async (context) => {
    const { fields } = context;
    const { sha, state, context: name, target_url: url } = fields;
    const note = noteHead(context, sha);
    if (state !== 'success' || !url || !isOfPreview({ context: name, url })) return note;
    const show = notePreviewOf(fields, { sha, url });
    return async (store) => {
      const shown = await show(store);
      return (await note(store)) === undefined ? undefined : shown;
    };
  },
  findDropReason: ({ state }) => (state === 'pending' ? 'not finished' : undefined),
  isWanted: (database, fields) => mayConcernHead(database, fields, fields.sha),
});
