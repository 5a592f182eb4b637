import { useState } from 'react';
import { businessNumberLabels, introLength } from '#core/values/business.ts';
import { formatPhone } from '#core/values/phone.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { type Drafts, draftsOf } from '#site/lib/offline/drafts.ts';
import type { Profile } from '#site/lib/profile.ts';
import { profileQuery, saveProfile } from '#site/lib/profile-settings.ts';
import { accountOf } from '#site/lib/session/session-storage.ts';
import { $session, ownRegion } from '#site/lib/session/session-store.ts';
import { isRecord, isText } from '#site/lib/shape.ts';
import { BusinessNumberField } from '#site/ui/business-number/BusinessNumberField.tsx';
import { type FoundBusiness, fetchBusiness } from '#site/ui/business-number/business-search.ts';
import { formatBusinessNumber } from '#site/ui/business-number/business-words.ts';
import { onSubmitOf, useAppForm } from '#site/ui/form/form.ts';
import { shownProblem } from '#site/ui/form/form-context.ts';
import { CountedTextArea } from '#site/ui/form/TextField.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { PartsLoading } from '#site/ui/PanelStates.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import {
  areDetailsValid,
  changeOf,
  type DetailsForm,
  detailsOf,
  fieldsOfRefusal,
  type JudgedField,
  problemOfField,
  sameDetails,
} from './details-form.ts';
import { PublicSwitch } from './security/EmailPart.tsx';
import { contactQuery } from './security/security-api.ts';
import { WorkParts } from './WorkParts.tsx';

/** The business as customers see it, and its owner's name. Content of the Business details panel. */
export function BusinessDetails() {
  const { data, status, error } = useQuery(profileQuery);
  if (data) return <OpenedDetails profile={data} />;
  return (
    <div className="panel__body">
      <PartsLoading {...{ status, error }} onAgain={profileQuery.refresh} />
    </div>
  );
}

/** The form starts from what was known when the panel opened: what arrives meanwhile overwrites nothing that is typed. */
function OpenedDetails({ profile }: Readonly<{ profile: Profile }>) {
  const [round, setRound] = useState({ profile, number: 0 });
  return (
    <DetailsFields
      key={round.number}
      profile={round.profile}
      onAgain={(from) => setRound({ profile: from, number: round.number + 1 })}
    />
  );
}

const isDetails = isRecord<DetailsForm>({
  ...{ bn: isText, tradingName: isText, firstName: isText, lastName: isText, intro: isText },
});

/** What was changed of the details and not saved yet: it outlives the panel, a reload and a lost session. */
function detailsDraft(): Drafts<DetailsForm> {
  return draftsOf('business-details', accountOf($session.get()?.token ?? ''), isDetails);
}

type Props = Readonly<{
  profile: Profile;
  /** Begins anew from a profile: what was saved, or what it was before the changes. */
  onAgain(profile: Profile): void;
}>;

const companyFailure = "We couldn't find this company, please try again.";

function DetailsFields({ profile, onAgain }: Props) {
  const { region, bn } = profile;
  const { data: current = profile } = useQuery(profileQuery);
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
      onSubmit={onSubmitOf(() => form.handleSubmit())}
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
        <PublicPhone />
        <WorkParts profile={current} />
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

/** Whether customers see the mobile number, as in the security settings. */
function PublicPhone() {
  const { data: contact } = useQuery(contactQuery);
  if (!contact) return null;
  return (
    <section className="settings__part" aria-labelledby="public-phone">
      <h3 id="public-phone">{formatPhone(contact.phone, ownRegion())}</h3>
      <PublicSwitch name="showPhone" isShown={contact.showPhone} />
    </section>
  );
}

/** Shows that the form opened with what was typed before and not saved. */
function UnsavedNote({ onDiscard }: Readonly<{ onDiscard(): void }>) {
  return (
    <div className="alert" role="status">
      <Icon name="info" />
      <div>
        <strong>Changes you have not saved yet</strong>
        <span>{'They were kept from the last time. '}</span>
        <button className="link" type="button" onClick={onDiscard}>
          Discard them
        </button>
      </div>
    </div>
  );
}

/** Saves what was changed and confirms it. Gives the profile as it is now, or what was refused of each field. */
async function saveDetails(
  form: DetailsForm,
  stored: DetailsForm,
): Promise<Readonly<{ profile: Profile }> | Readonly<{ fields: Record<string, string> }>> {
  try {
    const profile = await saveProfile(changeOf(form, stored));
    profileQuery.update(() => profile);
    toast.success('Business details updated', { title: 'Success', id: 'business-details' });
    return { profile };
  } catch (error) {
    toast.error('Error updating business details', { title: 'Error', id: 'business-details' });
    return { fields: error instanceof ApiError ? fieldsOfRefusal(error.fields) : {} };
  }
}
