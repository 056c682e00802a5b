import { z } from 'zod';
import type { CallSite } from '../client/call-context.ts';

const maxFileBytes = 1024 * 1024;

export type FetchedFile = { kind: 'text'; text: string } | { kind: 'missing' } | { kind: 'too_large' };

const fileSchema = z.object({ type: z.literal('file'), size: z.number(), encoding: z.string(), content: z.string() });

/** The file calls of a repository client; its face says what they promise. */
export function createFileCalls({ connection, owner, repo }: CallSite) {
  const name = `${owner}/${repo}`;

  return {
    /**
     * A text file on the default branch. `missing`: there is no regular file at that path. `too_large`: it is over 1 MB, for which GitHub
     * sends no content.
     */
    async fetchFile(path: string): Promise<FetchedFile> {
      return connection.read<FetchedFile>(
        `read ${path} in ${name}`,
        async ({ rest }) => {
          const file = fileSchema.safeParse((await rest.repos.getContent({ owner, repo, path })).data);
          if (!file.success) return { kind: 'missing' };
          const { size, encoding, content } = file.data;
          if (size > maxFileBytes || encoding !== 'base64') return { kind: 'too_large' };
          return { kind: 'text', text: new TextDecoder().decode(Buffer.from(content, 'base64')) };
        },
        { 404: () => ({ kind: 'missing' }) },
      );
    },
  };
}
