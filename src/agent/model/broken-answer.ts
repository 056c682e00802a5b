/**
 * What a model server sent is not a whole answer: cut, stalled, empty, not the protocol, or a failure announced in the middle of the
 * stream. `code` is the server's own, if it gave one, or `answer_too_large`, which is ours. Asking again may help.
 */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer';
  readonly code: string | null;

  constructor(message: string, { code = null, cause }: { code?: string | null; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}
