import { defineConfig } from 'astro/config';

export default defineConfig({
  site: 'https://relay.example',
  redirects: {
    '/guides/start': '/guides/install',
  },
});
