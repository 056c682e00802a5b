import { z } from 'zod';
import type { CallSite } from './call-site.ts';

const maxFileBytes = 1024 * 1024;

export type FetchedFile = { kind: 'text'; text: string } | { kind: 'missing' } | { kind: 'too_large' };

const fileSchema = z.object({ type: z.literal('file'), size: z.number(), encoding: z.string(), content: z.string() });

/** The file calls of a repository client; its face says what they promise. */
export function createFileCalls({ connection, owner, repo }: CallSite) {
  const name = `${owner}/${repo}`;

  return {
    /**
     * A text file at a branch, tag or commit (none given: on the default branch). `missing`: there is no regular file at that path, or no
     * such ref. `too_large`: it is over 1 MB, and GitHub sends no content for it.
     */
    async fetchFile(path: string, ref?: string): Promise<FetchedFile> {
      return connection.read<FetchedFile>(
        ref === undefined ? `read ${path} in ${name}` : `read ${path} at ${ref} in ${name}`,
        async ({ rest }) => {
          const { data } = await rest.repos.getContent({ owner, repo, path, ...(ref === undefined ? {} : { ref }) });
          const file = fileSchema.safeParse(data);
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
