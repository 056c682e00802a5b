/** Aborts at SIGINT and SIGTERM, which then no longer end the process. */
export function stopSignal(consequence = ''): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    // Not `once`: npm forwards Ctrl-C to a process that received it already, and an unhandled second one would leave an incomplete database.
    process.on(name, () => stopping.abort(new Error(`ended by ${name}${consequence}`)));
  }
  return stopping.signal;
}
