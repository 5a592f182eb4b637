import { useId, useRef, useState } from 'react';
import type { JobView } from '#core/job/view.ts';
import { jobRequestLengths, newJobProblem } from '#core/values/job-form.ts';
import { formatPhone } from '#core/values/phone.ts';
import { firstNameOf } from '#site/jobs/consumer-details.ts';
import { storeJob } from '#site/jobs/job-stores.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { ownRegion } from '#site/lib/session/session-store.ts';
import { AddressField } from '#site/ui/address/AddressField.tsx';
import type { AddressValue } from '#site/ui/address/address-rows.ts';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { onSubmitOf, useAppForm } from '#site/ui/form/form.ts';
import { shownProblem } from '#site/ui/form/form-context.ts';
import { Sheet } from '#site/ui/Sheet.tsx';
import { toast } from '#site/ui/toast/toast.ts';

type Props = Readonly<{
  job: JobView;
  /** The revision and the words of what the customer asked for. */
  asked: number;
  text: string;
  onClose(): void;
}>;

const textProblem =
  (field: 'name' | 'email' | 'phone') =>
  ({ value }: { value: string }) =>
    newJobProblem(field, value, ownRegion()) ?? undefined;

const addressProblem = ({ value }: { value: AddressValue }) =>
  newJobProblem('address', value.chosen?.address ?? value.text, null) ?? undefined;

/** The details of the customer beside what they want corrected. Saved, they are agreed to. */
export function CorrectDetails({ job, asked, text, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const failed = useId();
  // An empty field is asked for once it is to be saved.
  const [isTried, setTried] = useState(false);
  const save = () => {
    setTried(true);
    return form.handleSubmit();
  };
  const missing = (field: 'name' | 'email' | 'phone', value: string) =>
    isTried && value.trim() === '' ? newJobProblem(field, value, null) : null;
  const name = firstNameOf(job);
  const form = useAppForm({
    defaultValues: {
      name: job.name,
      email: job.email ?? '',
      phone: job.phone ? formatPhone(job.phone, ownRegion()) : '',
      address: { text: job.location.address, chosen: job.location } as AddressValue,
    },
    canSubmitWhenInvalid: true,
    onSubmit: async ({ value: { address, ...typed }, formApi }) => {
      setFailure(null);
      const place = address.chosen ?? { address: address.text, placeId: null, lat: null, lng: null };
      try {
        const answer = { answer: 'agreed' as const, details: { ...typed, ...place } };
        storeJob((await request('PUT', `${pathOf(job.id)}/corrections/${asked}`, { body: answer })).job);
        toast.success('The details are corrected', { slot: `job:${job.id}` });
        dialog.current?.close();
      } catch (error) {
        const { message, fields } = error instanceof ApiError ? error : new ApiError(unknownFailure, 0);
        const own = Object.entries(fields).map(([field, said]) => [field.replace(/^details\./, ''), said]);
        setFailure(message);
        formApi.setErrorMap({ onSubmit: { form: undefined, fields: Object.fromEntries(own) } });
      }
    },
  });
  return (
    <Sheet title="Correct the details" dialog={dialog} onClose={onClose}>
      <form
        className="correction"
        aria-label="Details of the customer"
        noValidate
        onSubmit={onSubmitOf(save)}
      >
        <div className="panel__body correction__fields">
          <div>
            <p className="field__label">{`${name} asks`}</p>
            <p className="said as-typed">{text}</p>
          </div>
          <form.AppField name="name" validators={{ onChange: textProblem('name') }}>
            {(field) => (
              <field.TextField
                label="Full name"
                autoComplete="off"
                refusal={missing('name', field.state.value)}
                maxLength={jobRequestLengths.name}
              />
            )}
          </form.AppField>
          <form.AppField name="email" validators={{ onChange: textProblem('email') }}>
            {(field) => (
              <field.TextField
                label="Email address"
                refusal={missing('email', field.state.value)}
                type="email"
                inputMode="email"
                autoComplete="off"
                maxLength={jobRequestLengths.email}
              />
            )}
          </form.AppField>
          <form.AppField name="phone" validators={{ onChange: textProblem('phone') }}>
            {(field) => (
              <field.PhoneField
                label="Phone number"
                autoComplete="off"
                refusal={missing('phone', field.state.value)}
              />
            )}
          </form.AppField>
          <form.AppField name="address" validators={{ onChange: addressProblem }}>
            {({ state }) => (
              <AddressField
                label="Job address"
                maxLength={jobRequestLengths.address}
                problem={shownProblem(state.meta, !isTried && state.value.text.trim() === '')}
              />
            )}
          </form.AppField>
          <p>{`The job, your lists and messages to ${name} have these details from then on. What ${name} sent first stays in the history, and ${name} gets an email that you agree.`}</p>
          <FieldError id={failed} message={failure} isLate />
        </div>
        <div className="panel__foot">
          <form.Subscribe selector={({ isSubmitting }) => isSubmitting}>
            {(isSubmitting) => (
              <button className="btn btn--primary btn--lg" type="submit" disabled={isSubmitting}>
                Agree and save
              </button>
            )}
          </form.Subscribe>
        </div>
      </form>
    </Sheet>
  );
}
