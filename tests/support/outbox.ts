import type { Deps } from '#api/deps.ts';
import type { Delivery } from '#api/messages/deliver.ts';
import { deliverDue } from '#api/messages/sender.ts';
import { outboxPageMail } from '#api/providers/mail.ts';
import type { Mail, Sms } from '#api/providers/messages.ts';
import { type OutboxPage, outboxPage } from '#api/providers/outbox-page.ts';
import { outboxPageSms } from '#api/providers/sms.ts';
import type { Telemetry } from '#api/runtime/telemetry/port.ts';

/** What has deps: a `TestApp`, or an object made for it. */
type WithDeps = Readonly<{ deps: Deps; telemetry?: Telemetry | undefined }>;

function pageOf({ deps }: WithDeps): OutboxPage {
  return outboxPage(deps.db, deps.config.keys);
}

/** What delivers a test's messages to the embedded page, by the test's own clock. */
export function testDelivery(app: WithDeps, other: Partial<Delivery> = {}): Delivery {
  const { deps, telemetry } = app;
  const page = pageOf(app);
  const [mail, sms] = [outboxPageMail(page, deps.now), outboxPageSms(page, deps.now)];
  if (!telemetry) return { deps, mail, sms, ...other };
  return {
    ...{ deps, mail: telemetry.traceProvider(mail), sms: telemetry.traceProvider(sms) },
    ...{ aroundMessage: telemetry.aroundMessage<void>, ...other },
  };
}

/** Sends what is due by the test's clock; answers how many tries that took. */
export function deliver(app: WithDeps): Promise<number> {
  return deliverDue(testDelivery(app));
}

/** Sends what is due, then answers every mail that was ever sent (to one address), oldest first. */
export async function sentMail(app: WithDeps, to?: string): Promise<Mail[]> {
  await deliver(app);
  const stored = await pageOf(app).list(to);
  return stored.flatMap((message) => (message.channel === 'mail' ? message.mail : [])).toReversed();
}

/** Sends what is due, then answers every SMS that was ever sent (to one number in E.164), oldest first. */
export async function sentSms(app: WithDeps, to?: string): Promise<Sms[]> {
  await deliver(app);
  const stored = await pageOf(app).list(to);
  return stored.flatMap((message) => (message.channel === 'sms' ? message.sms : [])).toReversed();
}

/** The path and query of the first link of ours in a mail or SMS; throws where there is none. */
export function linkIn({ text }: Readonly<{ text: string }>): string {
  const url = URL.parse(/https?:\/\/\S+/.exec(text)?.[0] ?? '');
  if (!url) throw new Error('there is no link');
  return url.pathname + url.search;
}

/** The path of the page behind "Your details" in a receipt; throws where there is none. */
export function detailsPathIn({ text }: Readonly<{ text: string }>): string {
  const path = /Your details:\n\S+(\/your-details\/\S+)/.exec(text)?.[1];
  if (!path) throw new Error('there is no link to the details');
  return path;
}
