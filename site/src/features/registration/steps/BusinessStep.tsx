import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { businessNumberLabels, nameWithAddressMessage } from '#core/values/business.ts';
import { namesAnAddress } from '#core/values/contact.ts';
import { type Region, regionNames } from '#core/values/region.ts';
import type { ChosenBusiness, Registration } from '#site/features/registration/registration.ts';
import { $registration, changeRegistration } from '#site/features/registration/registration-store.ts';
import { StepHead } from '#site/features/registration/wizard/StepHead.tsx';
import { BusinessNumberField } from '#site/ui/business-number/BusinessNumberField.tsx';
import { formatBusinessNumber } from '#site/ui/business-number/business-words.ts';
import type { FoundBusiness } from '#site/ui/business-number/businesses-api.ts';
import { useAppForm } from '#site/ui/form/form.ts';
import { $isLookingUp, chooseBusiness, clearBusiness, type Refusal } from './choose-business.ts';

/** Step 2: the business as the register has it, and the names that customers will see. */
export function BusinessStep({ registration }: Readonly<{ registration: Registration }>) {
  const [refusal, setRefusal] = useState<Refusal>(null);
  const isLookingUp = useStore($isLookingUp);
  const region = registration.region ?? 'au';
  const { entity } = registration;

  async function choose(found: FoundBusiness): Promise<void> {
    setRefusal(null);
    setRefusal(await chooseBusiness(found, region));
  }

  function clear(): void {
    setRefusal(null);
    clearBusiness();
  }

  return (
    <>
      <StepHead title="Your business">
        {`We look it up in the register of ${regionNames[region]}, so you type as little as possible.`}
      </StepHead>
      <BusinessNumberField
        region={region}
        chosen={entity?.name ?? ''}
        problem={refusal}
        onChoose={(found) => void choose(found)}
        onClear={clear}
      />
      <p className="sr" role="status">
        {isLookingUp ? 'Please wait...' : entity ? `${entity.name} is chosen. Check the names below.` : ''}
      </p>
      {isLookingUp && !entity && <span className="sk sk--block wizard__sk" />}
      {entity && <BusinessNames key={entity.bn} entity={entity} region={region} user={registration.user} />}
    </>
  );
}

type NamesProps = Readonly<{ entity: ChosenBusiness; region: Region; user: Registration['user'] }>;

function BusinessNames({ entity, region, user }: NamesProps) {
  const form = useAppForm({
    defaultValues: { tradingName: entity.tradingName, ...user },
    listeners: {
      onChange: ({ formApi }) => {
        const { tradingName, ...names } = formApi.state.values;
        const chosen = $registration.get()?.entity;
        if (chosen) changeRegistration({ entity: { ...chosen, tradingName }, user: names });
      },
    },
  });
  return (
    <>
      <p className="wizard__fact num">
        {`${businessNumberLabels[region]} ${formatBusinessNumber(entity.bn)} · ${entity.status}`}
      </p>
      <form.AppField
        name="tradingName"
        validators={{ onChange: ({ value }) => (namesAnAddress(value) ? nameWithAddressMessage : undefined) }}
      >
        {(field) => (
          <field.TextField label="Trading name" autoComplete="organization" maxLength={120} isEager />
        )}
      </form.AppField>
      <div className="wizard__pair">
        <form.AppField name="firstName">
          {(field) => <field.TextField label="First name" autoComplete="given-name" maxLength={100} />}
        </form.AppField>
        <form.AppField name="lastName">
          {(field) => <field.TextField label="Last name" autoComplete="family-name" maxLength={100} />}
        </form.AppField>
      </div>
    </>
  );
}
