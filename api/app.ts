import { Elysia } from 'elysia';
import { codeGauges } from '#api/accounts/contact-budgets.ts';
import { welcomePages } from '#api/accounts/routes.ts';
import { notificationRoutes } from '#api/businesses/profile-routes.ts';
import { backupGauges } from '#api/http/health/readiness.ts';
import { newJobRoutes } from '#api/jobs/routes.ts';
import { sentMessages, undeliveredMessages } from '#api/outbox/delivery-status.ts';
import { devOutbox, type OutboxPageData } from '#api/outbox/routes.ts';
import type { LinkPages } from '#api/pages/cached-pages.ts';
import { clientErrorRoutes, mapTileRoutes } from '#api/pages/client-routes.ts';
import { proofGauges } from '#api/proof/gauges.ts';
import { demoRoutes } from '#api/registration/routes.ts';
import { readWelcomePage } from './accounts/email-confirmation.ts';
import { passwordRoutes } from './accounts/passwords/password-routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { guessingGauges } from './accounts/sign-in/guessing.ts';
import { authenticateRoutes } from './accounts/sign-in/routes.ts';
import { unsubscribePages } from './announcements/routes.ts';
import { readUnsubscribePage } from './announcements/unsubscribe.ts';
import { chatbotRoutes } from './assistant/routes.ts';
import { brandingGate, brandingRoutes } from './businesses/branding-routes.ts';
import { enquiryFormRoutes } from './businesses/enquiry-form-routes.ts';
import { logoRoutes } from './businesses/files/logo-routes.ts';
import { profileRoutes } from './businesses/profile-routes.ts';
import { workRoutes } from './businesses/work-routes.ts';
import type { Deps, Traces } from './deps.ts';
import { createUploads, type Uploads } from './http/body/uploads.ts';
import type { NoticeData } from './http/button-posts.ts';
import { compressedJson } from './http/compressed-json.ts';
import { edge } from './http/edge.ts';
import {
  type GaugeDeclaration,
  metricsRoutes,
  processGauges,
  requestSeconds,
} from './http/health/metrics.ts';
import { healthRoutes } from './http/health/routes.ts';
import { openApi } from './http/openapi/openapi.ts';
import { refuseInvalid } from './http/validation.ts';
import {
  addressRoutes,
  publicFormAddressRoutes,
  registrationAddressRoutes,
} from './intake/address-routes.ts';
import { alertGauges } from './intake/answers/alert-budget.ts';
import { readAnswerPage } from './intake/answers/answer-job.ts';
import { readEndedLink } from './intake/answers/ended-link.ts';
import { readNotNeededPage } from './intake/answers/not-needed.ts';
import { answerPages, answerRoutes } from './intake/answers/routes.ts';
import { botCheckRoutes } from './intake/bot-check-routes.ts';
import { mediaRoutes, publicMediaRoutes } from './intake/files/media-routes.ts';
import type { FormPageData } from './intake/public-form/form-pages.ts';
import { publicFormPages } from './intake/public-form/page-routes.ts';
import { publicFormsRoutes } from './intake/public-form/routes.ts';
import { workOrderRoutes } from './intake/work-order-routes.ts';
import { jobHistoryRoutes } from './jobs/history-routes.ts';
import { photoRoutes } from './jobs/photos/routes.ts';
import { jobsRoutes } from './jobs/routes.ts';
import { liveRoutes } from './live/routes.ts';
import { outboxGauges } from './outbox/delivery-status.ts';
import { cachedAnswer, cachedPages } from './pages/cached-pages.ts';
import { unmatched } from './pages/unmatched.ts';
import { clockGauges } from './privacy/clock-trust.ts';
import { closingRoutes } from './privacy/closing-routes.ts';
import { disputeRoutes } from './privacy/disputes/routes.ts';
import { exportRoutes } from './privacy/export/routes.ts';
import { retentionRoutes } from './privacy/retention/routes.ts';
import { retentionGauges } from './privacy/retention/run.ts';
import { erasureRoutes } from './privacy/routes.ts';
import { requestAnswerRoutes } from './privacy/your-details/answer-routes.ts';
import { requestGauges } from './privacy/your-details/removal-requests.ts';
import { yourDetailsPages, yourDetailsRoutes } from './privacy/your-details/routes.ts';
import { readYourDetails } from './privacy/your-details/your-details.ts';
import { recordRoutes } from './proof/records/routes.ts';
import { checkpointRoutes } from './proof/routes.ts';
import { lookupRoutes } from './registration/lookup-routes.ts';
import { completionRoutes, contactRoutes, draftRoutes } from './registration/routes.ts';
import { messageKinds } from './rooms.ts';

const options = {
  // Bun's own router and static answers would leave Elysia's hooks out, and the edge's headers with them.
  nativeStaticResponse: false,
  systemRouter: false,
  // Else a Host of few letters shifts where Elysia believes the path to begin.
  handler: { standardHostname: false },
} as const;

/** What is around every request: JSON goes out compressed, and where requests are traced, all that one leads to runs within its span. */
function surrounded({ requestSpans: spans }: Traces) {
  const app = new Elysia(options);
  app.wrap((handle) => (request: Request, ...given: unknown[]) => {
    const compressed = (answer: unknown) =>
      answer instanceof Response ? compressedJson(request, answer) : answer;
    const answer: unknown = handle(request, ...given);
    return answer instanceof Promise ? answer.then(compressed) : compressed(answer);
  });
  if (spans)
    app.wrap(
      (handle) =>
        (...given: unknown[]) =>
          spans.around(() => handle(...given)),
    );
  return app;
}

/** The whole HTTP side, with no side effects of its own: `main.ts` lets it listen, tests call `app.handle`. */
export function createApp(deps: Deps) {
  const uploads = createUploads(deps.config, deps.now);
  const requests = requestSeconds();
  const cachedSeconds = requests.labels(cachedAnswer);
  const cached = cachedPages(deps, (seconds) => cachedSeconds.observe(seconds));
  const app = surrounded(deps)
    // Before the edge, and not async: what is in memory owes nothing to what the edge does.
    .onRequest(({ request }) => cached(request))
    .use(edge(deps, uploads, [brandingGate(deps)]))
    .group('/api', (api) =>
      api
        .use(metricsRoutes(deps, gauges(deps, uploads), requests))
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
        .use(photoRoutes(deps, uploads))
        .use(jobHistoryRoutes(deps, undeliveredMessages(deps, messageKinds)))
        .use(answerRoutes(deps))
        .use(notificationRoutes(deps))
        .use(profileRoutes(deps))
        .use(workRoutes(deps))
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
        .use(checkpointRoutes(deps))
        .use(recordRoutes(deps))
        .use(erasureRoutes(deps, sentMessages(deps, messageKinds)))
        .use(disputeRoutes(deps))
        .use(retentionRoutes(deps))
        .use(requestAnswerRoutes(deps))
        .use(yourDetailsRoutes(deps))
        .use(exportRoutes(deps))
        .use(closingRoutes(deps))
        .use(mapTileRoutes(deps))
        .use(liveRoutes(deps)),
    )
    .use(logoRoutes(deps))
    .use(publicFormPages(deps, uploads))
    .use(answerPages(deps))
    .use(yourDetailsPages(deps))
    .use(welcomePages(deps))
    .use(unsubscribePages(deps));
  if (deps.config.environment !== 'production') app.use(devOutbox(deps));
  if (deps.config.openApi) app.use(openApi(app));
  refuseInvalid(app.routes);
  return app.use(unmatched(deps, () => app.routes));
}

/** The pages behind the links in messages: what each shows, by its token. */
export function linkPages(deps: Deps) {
  return {
    answer: { local: 'answerLink', read: (token) => readAnswerPage(deps, token) },
    'not-needed': {
      local: 'notNeededLink',
      read: (token) => readNotNeededPage(deps, token),
      readEnded: (token) => readEndedLink(deps, 'not-needed', token),
    },
    'your-details': {
      local: 'yourDetails',
      read: (token) => readYourDetails(deps, token),
      readEnded: (token) => readEndedLink(deps, 'privacy', token),
    },
    welcome: { local: 'welcomeLink', read: (token) => readWelcomePage(deps, token) },
    unsubscribe: { local: 'unsubscribeLink', read: (token) => readUnsubscribePage(deps, token) },
  } as const satisfies LinkPages;
}

type Links = ReturnType<typeof linkPages>;

/** What the pages that are rendered on demand show, as `Astro.locals`: null for a link that opens nothing. */
export type PageData = FormPageData &
  OutboxPageData &
  NoticeData &
  Readonly<{
    [Kind in keyof Links as Links[Kind]['local']]?: Awaited<ReturnType<Links[Kind]['read']>> | null;
  }> &
  Readonly<{
    /** Whose the link was, where it is a customer's that has ended. */
    endedLink?: NonNullable<Awaited<ReturnType<Links['not-needed' | 'your-details']['readEnded']>>>;
    /** `PRODUCT_EMAIL`; absent where the operator names none. */
    operatorEmail?: string;
  }>;

/** What a process answers that only runs projections: is it well. */
export function createWorkerApp(deps: Deps) {
  const uploads = createUploads(deps.config, deps.now);
  const app = new Elysia(options)
    .use(edge(deps, uploads))
    .group('/api', (api) => api.use(metricsRoutes(deps, gauges(deps, uploads))).use(healthRoutes(deps)));
  return app.use(unmatched(deps, () => app.routes));
}

/** Every gauge of the product, each declared by the room that knows its figure. */
function gauges(deps: Deps, uploads: Uploads): GaugeDeclaration[] {
  return [
    ...processGauges(deps, uploads),
    ...proofGauges(deps),
    ...codeGauges(deps),
    ...guessingGauges(deps),
    ...alertGauges(deps),
    ...outboxGauges(deps),
    ...backupGauges(deps),
    ...retentionGauges(deps),
    ...clockGauges(deps),
    ...requestGauges(deps),
  ];
}

export type App = ReturnType<typeof createApp>;
