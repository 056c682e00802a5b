import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** `startedAt` is in milliseconds of the epoch, as all processes of a machine read it. */
const pieceSchema = z.object({
  kind: z.enum(['git', 'sql', 'http', 'thread', 'wait']),
  what: z.string(),
  startedAt: z.number(),
  ms: z.number(),
});
export type PieceOfWork = z.infer<typeof pieceSchema>;

/** The work of a service with `record-work.ts`. */
export async function readWork(file: string): Promise<PieceOfWork[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => pieceSchema.parse(JSON.parse(line)));
}
