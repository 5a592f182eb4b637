import { accountTables } from '#projections/accounts/table.ts';
import { type SignedIn, type TestApp, type TestAppOptions, testApp } from './api.ts';
import { sentMail, sentSms } from './outbox.ts';

export type MessageApp = TestApp &
  Readonly<{
    /** Lets so many minutes of the test's clock pass. */
    pass(minutes: number): void;
    /** Everything that was sent to the owner of a business by now, newest last. */
    toldTo(owner: SignedIn): Promise<{ mail: string[]; sms: string[] }>;
  }>;

/** An app whose log leads to messages, on a clock that only the test moves. */
export async function messageApp(
  options: Omit<TestAppOptions, 'now' | 'processes'> = {},
): Promise<MessageApp> {
  let time = Date.parse('2026-11-20T01:00:00.000Z');
  const app = await testApp({ ...options, processes: true, now: () => new Date(time) });
  return {
    ...app,
    pass(minutes) {
      time += minutes * 60_000;
    },
    async toldTo({ email, accountId }) {
      await app.settle();
      const { rows } = await app.deps.db.query(
        `select phone from ${accountTables.accounts} where account_id = $1`,
        [accountId],
      );
      const [mail, sms] = [await sentMail(app, email), await sentSms(app, rows[0].phone)];
      return { mail: mail.map(({ text }) => text), sms: sms.map(({ text }) => text) };
    },
  };
}
