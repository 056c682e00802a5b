import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';

export default defineConfig({
  site: 'https://compass.example',
  integrations: [
    starlight({
      title: 'Compass',
      defaultLocale: 'root',
      locales: {
        root: { label: 'English', lang: 'en' },
        de: { label: 'Deutsch', lang: 'de' },
      },
      sidebar: [
        {
          label: 'Guides',
          translations: { de: 'Anleitungen' },
          items: [
            'guides/setup',
            'guides/first-route',
            { label: 'Offline maps', slug: 'guides/offline', translations: { de: 'Karten ohne Netz' } },
          ],
        },
        {
          label: 'Reference',
          translations: { de: 'Referenz' },
          items: ['reference/route', 'reference/marker', 'reference/errors'],
        },
      ],
    }),
  ],
});
