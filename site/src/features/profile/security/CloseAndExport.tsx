import { useStore } from '@nanostores/react';
import { graceDays } from '#core/values/stored-details.ts';
import { withBotCheck } from '#site/lib/bot-check/with-bot-check.ts';
import { download } from '#site/lib/files.ts';
import { request } from '#site/lib/http/api.ts';
import { query, useQuery } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { ClosingNote, closingDay, refreshClosing } from '#site/ui/ClosingNote.tsx';
import { useAppForm } from '#site/ui/form/form.ts';
import { PasswordField, WhosePassword } from '#site/ui/form/PasswordField.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { PartsLoading } from '#site/ui/PanelStates.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { FormAlert, SettingForm, SettingPart, useSending } from './SettingPart.tsx';
import { askForExport } from './security-api.ts';

const day = 86_400_000;

const closingQuery = query('closing', async (signal: AbortSignal) => {
  return (await request('GET', '/settings/closing', { signal })).closing;
});

/** Closes the business with its account and its jobs, or says when it is closed, with the way to take that back. */
export function ClosePart({ email }: Readonly<{ email: string }>) {
  const { data: closing, status, error } = useQuery(closingQuery);
  const timeZone = useStore($session)?.user?.timeZone ?? 'UTC';
  if (!closing) {
    return <PartsLoading {...{ status, error }} onAgain={closingQuery.refresh} />;
  }
  if (closing.closesAt) {
    return (
      <section className="settings__part" aria-labelledby="close-business">
        <h3 id="close-business">Close this business</h3>
        <ClosingNote closesAt={closing.closesAt} timeZone={timeZone} />
      </section>
    );
  }
  return (
    <SettingPart
      title="Close this business"
      value="Removes your account, your jobs and your customers’ details"
      change="Close…"
    >
      {() => <CloseForm email={email} jobs={closing.jobs} timeZone={timeZone} />}
    </SettingPart>
  );
}

type Props = Readonly<{ email: string; jobs: number; timeZone: string }>;

function CloseForm({ email, jobs, timeZone }: Props) {
  const { failure, clear, send } = useSending();
  const form = useAppForm({
    defaultValues: { currentPassword: '' },
    canSubmitWhenInvalid: true,
    listeners: { onChange: clear },
    onSubmitMeta: { isDownload: false },
    onSubmit: ({ value: { currentPassword }, formApi, meta }) =>
      send(formApi, async () => {
        if (meta.isDownload) {
          download(await askForExport('everything', currentPassword));
          toast.success('Your download has begun');
          return;
        }
        await closeBusiness(currentPassword);
        toast.success('Your business closes in 30 days');
      }),
  });
  const due = closingDay(new Date(Date.now() + graceDays.business * day), timeZone);
  return (
    <SettingForm label="Close this business" onSend={() => form.handleSubmit({ isDownload: false })}>
      <p>
        <span>{'On '}</span>
        <b>{due}</b>
        <span>{` these are removed for good: your account and how you log in, ${jobs > 1 ? `your ${jobs.toLocaleString('en-AU')} jobs` : 'your jobs'} with your customers’ details, notes, photos and files, your public page, logo and questions.`}</span>
      </p>
      <p>
        What stays: emails and messages that were sent, and what was downloaded or printed. We note that a
        business was closed, and when, without a name.
      </p>
      <p>
        Your public page is offline from now on: visitors see that there is no such page. Until that day you
        log in as before, and one press keeps the business open. After it, logging in is not possible any
        more. Your email and mobile number are free for a new account then; no one else gets the address of
        your page for 180 days.
      </p>
      <WhosePassword email={email} />
      <form.AppField name="currentPassword">
        {() => <PasswordField label="Current Password" autoComplete="current-password" />}
      </form.AppField>
      <FormAlert message={failure} />
      <form.Subscribe selector={({ values, isSubmitting }) => ({ values, isSubmitting })}>
        {({ values, isSubmitting }) => (
          <div className="settings__acts">
            <button
              className="btn btn--secondary"
              type="button"
              disabled={isSubmitting || values.currentPassword === ''}
              onClick={() => void form.handleSubmit({ isDownload: true })}
            >
              <Icon name="download" />
              <span>Download everything first</span>
            </button>
            <button
              className="btn btn--danger-solid"
              type="submit"
              disabled={isSubmitting || values.currentPassword === ''}
              aria-busy={isSubmitting}
            >
              Close in 30 days
            </button>
          </div>
        )}
      </form.Subscribe>
    </SettingForm>
  );
}

async function closeBusiness(currentPassword: string): Promise<void> {
  const send = (headers: Record<string, string>) =>
    request('POST', '/settings/closing', { body: { currentPassword }, headers });
  const { closing } = await withBotCheck(send);
  closingQuery.update(() => closing);
  await refreshClosing();
}

/** What is downloaded: its words, by the name that the API has for it. */
const downloads = {
  everything: {
    title: 'Your data',
    value: 'Jobs, customers, schedule, files and history',
    change: 'Download everything',
    text: 'One ZIP file for your own records, a spreadsheet, a calendar or another product. Contact details of jobs that you have not accepted are left out. We send you an email that your data was downloaded.',
  },
  account: {
    title: 'Your account',
    value: 'Your name, contact details, settings and sign-ins',
    change: 'Download my data',
    text: 'One ZIP file with what is stored about you. Nothing of jobs and customers is in it. We send you an email that your data was downloaded.',
  },
} as const;

/** Downloads everything that the business has stored, or what is stored about the account, with the password. */
export function ExportPart({ email, what }: Readonly<{ email: string; what: keyof typeof downloads }>) {
  const { title, value, change } = downloads[what];
  return (
    <SettingPart title={title} value={value} change={change}>
      {(close) => <ExportForm email={email} what={what} onDone={close} />}
    </SettingPart>
  );
}

function ExportForm({
  email,
  what,
  onDone,
}: Readonly<{ email: string; what: keyof typeof downloads; onDone(): void }>) {
  const { failure, clear, send } = useSending();
  const form = useAppForm({
    defaultValues: { currentPassword: '' },
    canSubmitWhenInvalid: true,
    listeners: { onChange: clear },
    onSubmit: ({ value, formApi }) =>
      send(formApi, async () => {
        download(await askForExport(what, value.currentPassword));
        toast.success('Your download has begun');
        onDone();
      }),
  });
  return (
    <SettingForm label={downloads[what].change} onSend={() => form.handleSubmit()}>
      <p className="muted">{downloads[what].text}</p>
      <WhosePassword email={email} />
      <form.AppField name="currentPassword">
        {() => <PasswordField label="Current Password" autoComplete="current-password" />}
      </form.AppField>
      <FormAlert message={failure} />
      <form.Subscribe selector={({ values, isSubmitting }) => ({ values, isSubmitting })}>
        {({ values, isSubmitting }) => (
          <button
            className="btn btn--primary"
            type="submit"
            disabled={isSubmitting || values.currentPassword === ''}
            aria-busy={isSubmitting}
          >
            <Icon name="download" />
            <span>Download</span>
          </button>
        )}
      </form.Subscribe>
    </SettingForm>
  );
}
