import { passwordProblems } from '#core/values/account.ts';
import { type Plan, plans } from '#core/values/product.ts';
import { type Region, regions } from '#core/values/region.ts';
import type { StepAnswers } from '#core/values/registration-steps.ts';
import type { AnswerOf } from '#site/lib/http/api.ts';
import { isFlag, isListOf, isNumber, isOneOf, isRecord, isText, orNull } from '#site/lib/shape.ts';
import type { Coverage } from '#site/ui/coverage/coverage.ts';

type Draft = AnswerOf<'GET', '/registration/tradies'>['registration'];

/** A business of the register that was chosen, with the name that it trades under. */
export type ChosenBusiness = Readonly<
  Pick<NonNullable<Draft['entity']>, 'bn' | 'name' | 'tradingName' | 'postcode' | 'status'>
>;

/** The draft of a registration. The password is no part of it: the server only confirms that there is one. */
export type Registration = Readonly<
  Omit<Draft, 'rid' | 'complete' | 'entity'> & { entity: ChosenBusiness | null }
>;

/** Whether a value that this browser stored is the draft of a registration. */
export const isRegistration = isRecord<Registration>({
  ...{ step: isNumber, type: isOneOf<Plan>(plans), region: orNull(isOneOf<Region>(regions)) },
  ...{ trades: isListOf(isText), specialties: isListOf(isText) },
  entity: orNull(
    isRecord<ChosenBusiness>({
      ...{ bn: isText, name: isText, tradingName: isText, postcode: orNull(isText), status: isText },
    }),
  ),
  user: isRecord({ firstName: isText, lastName: isText }),
  location: isRecord<Coverage>({ lat: isNumber, lng: isNumber, radius: isNumber, zoom: isNumber }),
  verify: isRecord<Registration['verify']>({
    ...{ email: isText, emailVerified: isFlag, phone: isText, phoneVerified: isFlag, showPhone: isFlag },
    ...{ passwordSet: isFlag, subscribe: isFlag, terms: isFlag },
  }),
});

/** A draft as the rules of the steps look at it, with the password that is in its field. */
export function answersOf(draft: Registration, password: string): StepAnswers {
  const { region, trades, specialties, entity, user, verify } = draft;
  return {
    ...{ region, trades, specialties, ...user },
    ...{ email: verify.email, emailVerified: verify.emailVerified },
    ...{ phone: verify.phone, phoneVerified: verify.phoneVerified, terms: verify.terms },
    hasBusiness: entity !== null,
    tradingName: entity?.tradingName ?? '',
    passwordSet: password === '' ? verify.passwordSet : passwordProblems(password).length === 0,
  };
}

/**
 * What a draft has that the saved one has not: the body of the PUT that goes to `step`. The password goes along where a
 * good one was typed; what is the server's own stays at home.
 */
export function changesOf(saved: Registration, draft: Registration, step: number, password: string) {
  const parts = partsOf(draft);
  const before = partsOf(saved);
  const isChanged = (key: string) =>
    JSON.stringify(parts[key as keyof typeof parts]) !== JSON.stringify(before[key as keyof typeof parts]);
  const changed = Object.fromEntries(Object.entries(parts).filter(([key]) => isChanged(key)));
  const isGood = password !== '' && passwordProblems(password).length === 0;
  return { step, ...changed, ...(isGood ? { verify: { ...parts.verify, password } } : {}) };
}

/** What a browser may say of a draft. */
function partsOf({ region, trades, specialties, entity, user, location, verify }: Registration) {
  const { email, phone, showPhone, subscribe, terms } = verify;
  return {
    ...{ region, trades, specialties, user, location },
    entity: entity && { bn: entity.bn, tradingName: entity.tradingName },
    verify: { email, phone, showPhone, subscribe, terms },
  };
}

/** What the view of a step is given. `goTo` shows another step that is known to be open. */
export type StepProps = Readonly<{
  registration: Registration;
  goTo(step: number): Promise<void>;
}>;
