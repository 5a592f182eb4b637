import { introProblem } from '#core/values/business.ts';
import { businessNameProblem, firstNameProblem, lastNameProblem } from '#core/values/names.ts';
import type { Profile } from '#site/lib/profile.ts';
import type { ProfileChange } from '#site/lib/profile-settings.ts';

/** What the form of the business's details holds. `bn` is empty where no business was ever looked up. */
export type DetailsForm = Readonly<{
  bn: string;
  tradingName: string;
  firstName: string;
  lastName: string;
  intro: string;
}>;

/** The form as the server has it. */
export function detailsOf({ bn, firstName, lastName, intro }: Profile): DetailsForm {
  return { bn: bn.bn ?? '', tradingName: bn.tradingName || bn.name, firstName, lastName, intro };
}

/** What is wrong with each field; null where nothing is. */
const detailsProblems = {
  tradingName: businessNameProblem,
  firstName: firstNameProblem,
  lastName: lastNameProblem,
  intro: introProblem,
} as const satisfies Partial<Record<keyof DetailsForm, (text: string) => string | null>>;

export type JudgedField = keyof typeof detailsProblems;

/** What is wrong with what was typed into a field; null where nothing is, and where it is as the server has it. */
export function problemOfField(field: JudgedField, text: string, stored: DetailsForm): string | null {
  return text === stored[field] ? null : detailsProblems[field](text);
}

export function areDetailsValid(form: DetailsForm, stored: DetailsForm): boolean {
  return (Object.keys(detailsProblems) as JudgedField[]).every(
    (field) => problemOfField(field, form[field], stored) === null,
  );
}

export function sameDetails(one: DetailsForm, other: DetailsForm): boolean {
  return (Object.keys(one) as (keyof DetailsForm)[]).every((field) => one[field] === other[field]);
}

/** What of the form is new, as `PUT /settings/profile` takes it: what another device changed meanwhile stays. */
export function changeOf(form: DetailsForm, stored: DetailsForm): ProfileChange {
  const { bn, tradingName, firstName, lastName, intro } = form;
  const business = {
    ...(bn !== stored.bn && { bn }),
    ...(tradingName !== stored.tradingName && { tradingName }),
  };
  return {
    ...(Object.keys(business).length > 0 && { bn: business }),
    ...(firstName !== stored.firstName && { firstName }),
    ...(lastName !== stored.lastName && { lastName }),
    ...(intro !== stored.intro && { intro }),
  };
}

/** The fields of a refusal under the names that this form has. */
export function fieldsOfRefusal(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, message]) => [name.replace(/^bn\./, ''), message]),
  );
}
