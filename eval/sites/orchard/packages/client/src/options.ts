export const defaults = {
  url: 'http://localhost:6400',
  ttlSeconds: 300,
};
