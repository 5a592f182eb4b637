import { useState } from 'react';
import { download } from '#site/lib/save-file.ts';
import { useAppForm } from '#site/ui/form/form.ts';
import { PasswordField, WhosePassword } from '#site/ui/form/PasswordField.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { FormAlert } from './FormAlert.tsx';
import { formFailure } from './form-failure.ts';
import { SettingPart } from './SettingPart.tsx';
import { askForExport } from './security-api.ts';

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
  const [failure, setFailure] = useState<string | null>(null);
  const form = useAppForm({
    defaultValues: { currentPassword: '' },
    canSubmitWhenInvalid: true,
    listeners: { onChange: () => setFailure(null) },
    onSubmit: async ({ value, formApi }) => {
      setFailure(null);
      try {
        download(await askForExport(what, value.currentPassword));
        toast.success('Your download has begun');
        onDone();
      } catch (error) {
        const { message, fields } = formFailure(error);
        setFailure(message);
        formApi.setErrorMap({ onSubmit: { form: undefined, fields } });
      }
    },
  });
  return (
    <form
      className="settings__form"
      aria-label={downloads[what].change}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.handleSubmit();
      }}
    >
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
            Download
          </button>
        )}
      </form.Subscribe>
    </form>
  );
}
