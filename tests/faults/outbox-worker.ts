import '#core/kernel/schema-settings.ts';
import { createLogger } from '#api/http/log.ts';
import type { Delivery } from '#api/outbox/deliver.ts';
import { startSender } from '#api/outbox/sender.ts';
import { type SmtpSettings, smtpMail } from '#api/providers/mail.ts';
import { SessionPool } from '#core/postgres/session.ts';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { aMailKind } from '#tests/support/app/message-kinds.ts';
import { takeOrders } from '#tests/support/processes/workers.ts';

/** When to die: before a message is handed over, or once the server has acknowledged it. */
export type SendOrder = 'composed' | 'taken';

/**
 * A process of its own that sends what stands in the outbox through a mail server, until it is killed, or kills itself at the next
 * message, as it was told.
 */
const [connectionString = '', smtpUrl = ''] = process.argv.slice(2);
let fatal: SendOrder | undefined;
const db = new SessionPool({ connectionString });
db.on('error', () => {});
const config = testConfig({ SMTP_URL: smtpUrl, MAIL_FROM: 'Ute <hello@ute.example>' });
const provider = smtpMail(config.mail as SmtpSettings);
const die = () => process.kill(process.pid, 'SIGKILL');

const mail: Delivery['mail'] = {
  name: 'smtp',
  async send(one, messageId) {
    if (fatal === 'composed') die();
    await provider.send(one, messageId);
    if (fatal === 'taken') die();
  },
};

const deps = {
  config,
  db,
  now: () => new Date(),
  logger: createLogger('silent'),
} as unknown as Delivery['deps'];
const sms: Delivery['sms'] = { name: 'none', send: () => Promise.reject(new Error('no SMS here')) };
startSender({ deps, mail, sms, kinds: [aMailKind()] });
await takeOrders<SendOrder>(async (order) => {
  fatal = order;
});
