import { Elysia } from 'elysia';
import { accountRoutes } from './accounts/routes.ts';
import { welcomePages } from './accounts/welcome-pages.ts';
import { addressRoutes, registrationAddressRoutes } from './addresses/routes.ts';
import { unsubscribePages } from './announcements/page-routes.ts';
import { answerPages } from './answers/page-routes.ts';
import { answerRoutes } from './answers/routes.ts';
import { passwordRoutes } from './authenticate/password-routes.ts';
import { authenticateRoutes } from './authenticate/routes.ts';
import { botCheckRoutes } from './bot-check/routes.ts';
import { chatbotRoutes } from './chatbot/routes.ts';
import { clientErrorRoutes } from './client-errors/routes.ts';
import { demoRoutes } from './demo/routes.ts';
import type { Deps } from './deps.ts';
import { devOutbox } from './dev-outbox/routes.ts';
import { enquiryFormRoutes } from './enquiry-form/routes.ts';
import { logoRoutes, mediaRoutes } from './files/routes.ts';
import { metricsRoutes, requestSeconds } from './health/metrics.ts';
import { healthRoutes } from './health/routes.ts';
import { cachedAnswer, cachedPages } from './http/cached-pages.ts';
import { edge } from './http/edge.ts';
import { openApi } from './http/openapi.ts';
import { unmatched } from './http/unmatched.ts';
import { createUploads } from './http/uploads.ts';
import { refuseInvalid } from './http/validation.ts';
import { jobHistoryRoutes } from './jobs/history-routes.ts';
import { newJobRoutes } from './jobs/new-job-routes.ts';
import { jobsRoutes } from './jobs/routes.ts';
import { liveRoutes } from './live/routes.ts';
import { mapTileRoutes } from './map-tiles/routes.ts';
import { publicFormAddressRoutes } from './public-forms/address-routes.ts';
import { publicMediaRoutes } from './public-forms/media-routes.ts';
import { publicFormPages } from './public-forms/page-routes.ts';
import { publicFormsRoutes } from './public-forms/routes.ts';
import { lookupRoutes } from './registration/lookup-routes.ts';
import { completionRoutes, contactRoutes, draftRoutes } from './registration/routes.ts';
import { brandingGate, brandingRoutes } from './settings/branding-routes.ts';
import { notificationRoutes } from './settings/notification-routes.ts';
import { profileRoutes } from './settings/profile-routes.ts';
import { workOrderRoutes } from './work-orders/routes.ts';

const options = {
  // Bun's own router and static answers would leave Elysia's hooks out, and the edge's headers with them.
  nativeStaticResponse: false,
  systemRouter: false,
  // Else a Host of few letters shifts where Elysia believes the path to begin.
  handler: { standardHostname: false },
} as const;

/** The whole HTTP side, with no side effects of its own: `main.ts` lets it listen, tests call `app.handle`. */
export function createApp(deps: Deps) {
  const uploads = createUploads(deps.config, deps.now);
  const requests = requestSeconds();
  const cachedSeconds = requests.labels(cachedAnswer);
  const cached = cachedPages(deps, (seconds) => cachedSeconds.observe(seconds));
  const app = new Elysia(options)
    // Before the edge, and not async: what is in memory owes nothing to what the edge does.
    .onRequest(({ request }) => cached(request))
    .use(edge(deps, uploads, [brandingGate(deps)]))
    .group('/api', (api) =>
      api
        .use(metricsRoutes(deps, uploads, requests))
        .use(healthRoutes(deps))
        .use(clientErrorRoutes(deps))
        .use(authenticateRoutes(deps))
        .use(passwordRoutes(deps))
        .use(accountRoutes(deps))
        .use(chatbotRoutes(deps))
        .use(botCheckRoutes(deps))
        .use(publicFormsRoutes(deps))
        .use(publicFormAddressRoutes(deps))
        .use(publicMediaRoutes(deps, uploads))
        .use(jobsRoutes(deps))
        .use(newJobRoutes(deps))
        .use(jobHistoryRoutes(deps))
        .use(answerRoutes(deps))
        .use(notificationRoutes(deps))
        .use(profileRoutes(deps))
        .use(brandingRoutes(deps))
        .use(enquiryFormRoutes(deps))
        .use(mediaRoutes(deps))
        .use(workOrderRoutes(deps))
        .use(addressRoutes(deps))
        .use(registrationAddressRoutes(deps))
        .use(draftRoutes(deps))
        .use(lookupRoutes(deps))
        .use(contactRoutes(deps))
        .use(completionRoutes(deps))
        .use(demoRoutes(deps))
        .use(mapTileRoutes(deps))
        .use(liveRoutes(deps)),
    )
    .use(logoRoutes(deps))
    .use(publicFormPages(deps, uploads))
    .use(answerPages(deps))
    .use(welcomePages(deps))
    .use(unsubscribePages(deps));
  if (deps.config.environment !== 'production') app.use(devOutbox(deps));
  if (deps.config.openApi) app.use(openApi());
  refuseInvalid(app.routes);
  return app.use(unmatched(deps, () => app.routes));
}

/** What a process answers that only runs projections: is it well. */
export function createWorkerApp(deps: Deps) {
  const uploads = createUploads(deps.config, deps.now);
  const app = new Elysia(options)
    .use(edge(deps, uploads))
    .group('/api', (api) => api.use(metricsRoutes(deps, uploads)).use(healthRoutes(deps)));
  return app.use(unmatched(deps, () => app.routes));
}

export type App = ReturnType<typeof createApp>;
