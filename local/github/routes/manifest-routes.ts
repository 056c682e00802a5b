import { notFound } from '../api/api-error.ts';
import type { AppRegistration } from '../apps/create-app-registration.ts';
import { requireApp } from '../apps/require-app.ts';
import { presentApp } from '../json/present.ts';
import { ok, onApi, type Route } from './route.ts';

/** The code is the only credential: https://docs.github.com/en/rest/apps/apps#create-a-github-app-from-a-manifest */
export const manifestRoutes = (registration: AppRegistration): Route[] => [
  onApi.post('/app-manifests/:code/conversions', 'anyone', ({ world, params }) => {
    const { app, conversion } = registration.convert(params.code ?? '');
    const { clientSecret, webhookSecret, pem } = conversion;
    return ok(
      {
        ...presentApp(world, app),
        permissions: app.permissions,
        events: app.events,
        client_secret: clientSecret,
        webhook_secret: webhookSecret,
        pem,
      },
      201,
    );
  }),
  onApi.get('/apps/:slug', 'anyone', ({ world, params }) => {
    const app = requireApp(world);
    if (app.slug !== params.slug) throw notFound();
    return ok({ ...presentApp(world, app), permissions: app.permissions, events: app.events });
  }),
];
