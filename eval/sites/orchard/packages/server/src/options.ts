export const defaults = {
  port: 6400,
  maxEntries: 10_000,
  ttlSeconds: 300,
};
