import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';

const maxFileBytes = 1024 * 1024;

type NoFile = { kind: 'missing' } | { kind: 'too_large' };
type FetchedFile = { kind: 'text'; text: string } | NoFile;
type FetchedBytes = { kind: 'bytes'; bytes: Buffer } | NoFile;

const fileSchema = z.object({ type: z.literal('file'), size: z.number(), encoding: z.string(), content: z.string() });

export function createFileCalls({ connection, owner, repo }: CallContext) {
  const name = `${owner}/${repo}`;

  /** Reads a file of a commit, or of the default branch. `missing`: no regular file has that path. `too_large`: GitHub sends no content over 1 MB. */
  async function fetchBytes(path: string, ref?: string): Promise<FetchedBytes> {
    return connection.read<FetchedBytes>(
      `read ${path} in ${name}`,
      async ({ rest }) => {
        const file = fileSchema.safeParse(
          (await rest.repos.getContent({ owner, repo, path, ...(ref !== undefined && { ref }) })).data,
        );
        if (!file.success) return { kind: 'missing' };
        const { size, encoding, content } = file.data;
        if (size > maxFileBytes || encoding !== 'base64') return { kind: 'too_large' };
        return { kind: 'bytes', bytes: Buffer.from(content, 'base64') };
      },
      { 404: () => ({ kind: 'missing' }) },
    );
  }

  return {
    fetchBytes,
    /** The same for a text. */
    async fetchFile(path: string, ref?: string): Promise<FetchedFile> {
      const fetched = await fetchBytes(path, ref);
      return fetched.kind === 'bytes' ? { kind: 'text', text: new TextDecoder().decode(fetched.bytes) } : fetched;
    },
  };
}
