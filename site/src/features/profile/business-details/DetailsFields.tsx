import { useState } from 'react';
import { businessNumberLabels, introLength } from '#core/values/business.ts';
import type { Profile } from '#site/lib/profile.ts';
import { BusinessNumberField } from '#site/ui/business-number/BusinessNumberField.tsx';
import { formatBusinessNumber } from '#site/ui/business-number/business-words.ts';
import { type FoundBusiness, fetchBusiness } from '#site/ui/business-number/businesses-api.ts';
import { CountedTextArea } from '#site/ui/form/CountedTextArea.tsx';
import { useAppForm } from '#site/ui/form/form.ts';
import { shownProblem } from '#site/ui/form/shown-problem.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { detailsDraft } from './details-draft.ts';
import { areDetailsValid, detailsOf, type JudgedField, problemOfField, sameDetails } from './details-form.ts';
import { saveDetails } from './save-details.ts';
import { UnsavedNote } from './UnsavedNote.tsx';

type Props = Readonly<{
  profile: Profile;
  /** Begins anew from a profile: what was saved, or what it was before the changes. */
  onAgain(profile: Profile): void;
}>;

const companyFailure = "We couldn't find this company, please try again.";

export function DetailsFields({ profile, onAgain }: Props) {
  const { region, bn } = profile;
  const stored = detailsOf(profile);
  const [draft] = useState(detailsDraft);
  const [restored] = useState(() => draft.read());
  const [found, setFound] = useState<FoundBusiness | null>(null);
  const form = useAppForm({
    defaultValues: restored ?? stored,
    canSubmitWhenInvalid: true,
    listeners: {
      onChange: ({ formApi }) => {
        if (sameDetails(formApi.state.values, stored)) draft.remove();
        else draft.write(formApi.state.values);
      },
    },
    onSubmit: async ({ value, formApi }) => {
      const saved = await saveDetails(value, stored);
      if ('fields' in saved)
        return formApi.setErrorMap({ onSubmit: { form: undefined, fields: saved.fields } });
      draft.remove();
      onAgain(saved.profile);
    },
  });

  /** Fills in what the register has of the business that was picked. */
  async function choose(picked: FoundBusiness): Promise<void> {
    setFound(picked);
    try {
      const business = await fetchBusiness(picked.bn, region);
      toast.dismiss('business-lookup');
      form.setFieldValue('bn', business.bn);
      form.setFieldValue('tradingName', business.tradingName ?? business.name);
      if (business.firstName) form.setFieldValue('firstName', business.firstName);
      if (business.lastName) form.setFieldValue('lastName', business.lastName);
    } catch {
      setFound(null);
      toast.error(companyFailure, { title: 'Error', id: 'business-lookup' });
    }
  }

  const text = (name: JudgedField, label: string, autoComplete: string) => (
    <form.AppField
      name={name}
      validators={{ onChange: ({ value }) => problemOfField(name, value, stored) ?? undefined }}
    >
      {(field) => <field.TextField label={label} autoComplete={autoComplete} maxLength={100} isEager />}
    </form.AppField>
  );

  return (
    <form
      className="panel__form"
      aria-label="Business details"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.handleSubmit();
      }}
    >
      <div className="panel__body">
        <p className="lede">
          Your name and info appear on your public profile, so customers know who is coming.
        </p>
        {restored && <UnsavedNote onDiscard={() => discard()} />}
        <form.AppField name="bn">
          {({ state: { value: number, meta } }) => (
            <div className="details__bn">
              <BusinessNumberField
                region={region}
                chosen={found?.name ?? ''}
                problem={shownProblem(meta, true)}
                onChoose={(picked) => void choose(picked)}
                onClear={() => {
                  setFound(null);
                  form.setFieldValue('bn', stored.bn);
                }}
              />
              {number && (
                <p className="field__hint num">
                  {`${businessNumberLabels[region]} ${formatBusinessNumber(number)} · ${found?.name ?? bn.name}`}
                </p>
              )}
            </div>
          )}
        </form.AppField>
        {text('tradingName', 'Business name', 'organization')}
        <div className="details__pair">
          {text('firstName', 'First name', 'given-name')}
          {text('lastName', 'Last name', 'family-name')}
        </div>
        <form.AppField name="intro">
          {() => <CountedTextArea label="About" rows={2} maxLength={introLength} />}
        </form.AppField>
      </div>
      <div className="panel__foot">
        <form.Subscribe selector={({ values, isSubmitting }) => ({ values, isSubmitting })}>
          {({ values, isSubmitting }) => (
            <button
              className="btn btn--primary btn--lg"
              type="submit"
              disabled={isSubmitting || !areDetailsValid(values, stored) || sameDetails(values, stored)}
              aria-busy={isSubmitting}
            >
              Save changes
            </button>
          )}
        </form.Subscribe>
      </div>
    </form>
  );

  function discard(): void {
    draft.remove();
    onAgain(profile);
  }
}
