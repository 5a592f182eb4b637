import type { Event } from '#core/kernel/event.ts';
import type { Plan } from '#core/values/plan.ts';
import type { Region } from '#core/values/region.ts';

/** A business as its country's register has it. `registered` is false for one that was struck off. */
export type RegisteredEntity = Readonly<{
  bn: string;
  name: string;
  country: Region;
  registered: boolean;
  status: string;
  postcode: string | null;
}>;

/** What somebody has answered so far, half-typed words included: what it is worth is for the steps' rules to say. */
export type Answers = Readonly<{
  region: Region | null;
  /** Ids of the trade catalogue. */
  trades: readonly string[];
  specialties: readonly string[];
  entity: RegisteredEntity | null;
  tradingName: string;
  firstName: string;
  lastName: string;
  /** Degrees, metres and the map's zoom. */
  location: Readonly<{ lat: number; lng: number; radius: number; zoom: number }>;
  email: string;
  phone: string;
  /** Whether news by email are wanted. */
  subscribe: boolean;
  terms: boolean;
}>;

/** Somebody passed the bot check and began. The id is the hash of a secret that they alone hold. */
export type RegistrationStarted = Event<
  'RegistrationStarted',
  { registrationId: string; plan: Plan; startedAt: string }
>;

/** The draft as it was on Next or Back. `step` is the one that was gone to. */
export type RegistrationSaved = Event<
  'RegistrationSaved',
  { registrationId: string; step: number; savedAt: string } & Answers
>;

/** Nobody else signs in with this email. */
export type RegistrationEmailVerified = Event<
  'RegistrationEmailVerified',
  { registrationId: string; email: string; verifiedAt: string }
>;

/** Another mobile, in E.164: what was verified of the one before counts no more. */
export type RegistrationPhoneChanged = Event<
  'RegistrationPhoneChanged',
  { registrationId: string; phone: string; changedAt: string }
>;

/** The code that was sent to this mobile came back. */
export type RegistrationPhoneVerified = Event<
  'RegistrationPhoneVerified',
  { registrationId: string; phone: string; verifiedAt: string }
>;

/** A password that keeps the rules was given; it stands elsewhere, and is no part of the fact. */
export type RegistrationPasswordChosen = Event<
  'RegistrationPasswordChosen',
  { registrationId: string; chosenAt: string }
>;

/** All that an account, its business and its enquiry form are opened with. `timeZone` is IANA; `coverage.radius` in metres. */
export type RegistrationCompleted = Event<
  'RegistrationCompleted',
  {
    registrationId: string;
    accountId: string;
    businessId: string;
    region: Region;
    plan: Plan;
    trades: readonly string[];
    specialties: readonly string[];
    bn: string;
    name: string;
    tradingName: string;
    tagline: string;
    firstName: string;
    lastName: string;
    email: string;
    phone: string;
    coverage: Readonly<{ lat: number; lng: number; radius: number }>;
    timeZone: string;
    slug: string;
    subscribe: boolean;
    completedAt: string;
  }
>;

export type RegistrationEvent =
  | RegistrationStarted
  | RegistrationSaved
  | RegistrationEmailVerified
  | RegistrationPhoneChanged
  | RegistrationPhoneVerified
  | RegistrationPasswordChosen
  | RegistrationCompleted;
