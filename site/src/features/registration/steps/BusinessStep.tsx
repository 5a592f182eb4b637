import { useStore } from '@nanostores/react';
import { atom, type ReadableAtom } from 'nanostores';
import { useState } from 'react';
import { businessNumberLabels } from '#core/values/business.ts';
import { businessNameLength, nameWithAddressMessage } from '#core/values/names.ts';
import { type Region, regionNames } from '#core/values/region.ts';
import { defaultLocation } from '#core/values/registration-steps.ts';
import { namesAnAddress } from '#core/values/web-address.ts';
import type { ChosenBusiness, Registration } from '#site/features/registration/registration.ts';
import { $registration, changeRegistration } from '#site/features/registration/registration-store.ts';
import { StepHead } from '#site/features/registration/wizard/StepHead.tsx';
import { BusinessNumberField } from '#site/ui/business-number/BusinessNumberField.tsx';
import { type FoundBusiness, fetchBusiness } from '#site/ui/business-number/business-search.ts';
import { formatBusinessNumber } from '#site/ui/business-number/business-words.ts';
import { fetchPostcode } from '#site/ui/coverage/fetch-postcode.ts';
import { useAppForm } from '#site/ui/form/form.ts';
import { toast } from '#site/ui/toast/toast.ts';

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
      <form.AppField name="tradingName" validators={noAddress}>
        {(field) => (
          <field.TextField
            label="Trading name"
            autoComplete="organization"
            maxLength={businessNameLength.max}
            isEager
          />
        )}
      </form.AppField>
      <div className="wizard__pair">
        <form.AppField name="firstName" validators={noAddress}>
          {(field) => (
            <field.TextField label="First name" autoComplete="given-name" maxLength={100} isEager />
          )}
        </form.AppField>
        <form.AppField name="lastName" validators={noAddress}>
          {(field) => (
            <field.TextField label="Last name" autoComplete="family-name" maxLength={100} isEager />
          )}
        </form.AppField>
      </div>
    </>
  );
}

/** An address is named while it is typed: the name goes nowhere. */
const noAddress = {
  onChange: ({ value }: Readonly<{ value: string }>) =>
    namesAnAddress(value) ? nameWithAddressMessage : undefined,
};

const isLooking = atom(false);
/** Whether the register's entry of the chosen business is being fetched. */
const $isLookingUp: ReadableAtom<boolean> = isLooking;

const lookupFailure = "We couldn't find address for this company";

/** Why a business cannot be registered with, or null where it can. */
export type Refusal = string | null;

/**
 * Looks a business up and fills in what the register has: the business, its trading name or one made of its own, the
 * names of its owner where there are some, and the area around its postcode. Gives why it cannot be chosen, if so.
 */
export async function chooseBusiness({ bn }: FoundBusiness, region: Region): Promise<Refusal> {
  isLooking.set(true);
  try {
    const found = await fetchBusiness(bn, region);
    if (!found.registered) return `This business is no longer registered (${found.status})`;
    const current = $registration.get();
    if (current) changeRegistration(filledIn(current, found));
    if (found.postcode) void moveTo(found.postcode, region);
    else toast.info(lookupFailure, { id: 'business-lookup' });
    return null;
  } catch {
    showFailure();
    return lookupFailure;
  } finally {
    isLooking.set(false);
  }
}

/** What was chosen is not any more. */
function clearBusiness(): void {
  changeRegistration({ entity: null });
}

/** What a business of the register changes in the draft. */
function filledIn({ user }: Registration, found: FoundBusiness): Pick<Registration, 'entity' | 'user'> {
  const { bn, name, postcode, status } = found;
  return {
    entity: { bn, name, postcode, status, tradingName: found.tradingName ?? tradingNameOf(name) },
    user: {
      firstName: found.firstName ?? user.firstName,
      lastName: found.lastName ?? user.lastName,
    },
  };
}

/** The area begins around the business's postcode, as wide as it was. */
async function moveTo(postcode: string, region: Region): Promise<void> {
  try {
    const { lat, lng } = await fetchPostcode(postcode, region);
    toast.dismiss('business-lookup');
    const current = $registration.get();
    if (current?.entity?.postcode !== postcode) return;
    changeRegistration({ location: { ...current.location, lat, lng, zoom: defaultLocation.zoom } });
  } catch {
    showFailure();
  }
}

function showFailure(): void {
  toast.error(lookupFailure, { title: 'Error', id: 'business-lookup' });
}

/** What a register writes behind the name of a company: its legal form, in the words of Australia and New Zealand. */
const legalForm = /[\s,]+(?:(?:pty|proprietary)\.?[\s,]+)?(?:ltd|limited)\.?$|[\s,]+pty\.?$/i;

/** Words that stay small inside a name. */
const smallWords = new Set(['and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'the', 'to', 'with']);

/**
 * The name that a registered business probably trades under: without its legal form, and in a case that people write.
 * A name that the register has in mixed case stays as it is; one in capitals or in small letters alone gets one capital a word.
 */
export function tradingNameOf(registered: string): string {
  const name = registered.trim().replace(/\s+/g, ' ');
  // A company may be called nothing else.
  const plain = name.replace(legalForm, '') || name;
  const isMixed = /\p{Ll}/u.test(plain) && /\p{Lu}/u.test(plain);
  if (isMixed) return plain;
  return plain
    .split(' ')
    .map((word, place) => wordInCase(word, place === 0))
    .join(' ');
}

function wordInCase(word: string, isFirst: boolean): string {
  const small = word.toLocaleLowerCase('en-AU');
  if (!isFirst && smallWords.has(small)) return small;
  // Initials have no vowel to speak them by, or a sign between them: `DJ`, `R&J`, `A.B.C.`.
  if (word === word.toLocaleUpperCase('en-AU') && isInitials(small)) return word;
  return small
    .replace(/(^|[-/(."])(\p{L})/gu, (_, before: string, letter: string) => before + capital(letter))
    .replace(
      /^(o'|o’|mc)(\p{L})/iu,
      (_, before: string, letter: string) => capital(before) + capital(letter),
    );
}

function isInitials(small: string): boolean {
  return (
    /^\p{L}([.&]\p{L})+\.?$/u.test(small) || (/^\p{L}{1,4}$/u.test(small) && !/[aeiouyāēīōū]/.test(small))
  );
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase('en-AU') + text.slice(1);
}
