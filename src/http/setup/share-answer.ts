/** Concurrent calls share one call of `ask`. A result is reused for `keepMs`; an error is not. */
export function shareAnswer<Answer>(ask: () => Promise<Answer>, { keepMs = 0 } = {}): () => Promise<Answer> {
  let shared: Promise<Answer> | undefined;
  return () => {
    shared ??= begin();
    return shared;
  };

  function begin(): Promise<Answer> {
    const asking = ask();
    const forget = () => {
      shared = undefined;
    };
    asking.then(() => (keepMs > 0 ? setTimeout(forget, keepMs).unref() : forget()), forget);
    return asking;
  }
}
