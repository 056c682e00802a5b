/** Null: there was no file. */
export interface FormerFile {
  path: string;
  bytes: Uint8Array | null;
}

/** Undoes with `put` what `work` did before it was refused or threw. `work` lists the former contents of what it changed. */
export async function allOrNothing<Result extends { kind: string }>(
  put: (path: string, bytes: Uint8Array | null) => Promise<void>,
  work: (changed: FormerFile[]) => Promise<Result>,
): Promise<Result> {
  const changed: FormerFile[] = [];
  const undo = async () => {
    for (const { path, bytes } of changed.toReversed()) await put(path, bytes);
  };
  try {
    const result = await work(changed);
    if (result.kind === 'refused' || result.kind === 'missing') await undo();
    return result;
  } catch (error) {
    await undo();
    throw error;
  }
}
