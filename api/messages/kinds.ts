import {
  emailChangeConfirm,
  emailChanged,
  phoneChangeCode,
  phoneChanged,
  smsCode,
  welcome,
} from '#api/messages/kinds/account-contact.ts';
import { businessClosing, dataExported } from '#api/messages/kinds/business-data.ts';
import { requestAccepted, requestDeclined, requestReceipt } from '#api/messages/kinds/customer-request.ts';
import {
  newJobMail,
  newJobSms,
  noLongerNeededMail,
  noLongerNeededSms,
  testAlertMail,
  testAlertSms,
  unopenedJobSms,
} from '#api/messages/kinds/job-alerts.ts';
import {
  correctionAnsweredMail,
  correctionAskedMail,
  removalAskedMail,
  removalRefusedMail,
  removalReminder,
} from '#api/messages/kinds/stored-details.ts';
import { announcementToOne, weeklyRecord } from '#api/messages/kinds/subscriptions.ts';
import { demoConfirmation, demoRequestMail } from './kinds/demo-requested.ts';
import { passwordChanged, passwordGuessing, passwordReset } from './kinds/passwords.ts';
import type { MessageKind } from './message-kind.ts';

/** Every message the product sends. A row whose kind is not here waits for a process that knows it. */
export const messageKinds: readonly MessageKind[] = [
  smsCode,
  passwordReset,
  passwordChanged,
  passwordGuessing,
  dataExported,
  businessClosing,
  emailChangeConfirm,
  emailChanged,
  phoneChangeCode,
  phoneChanged,
  welcome,
  newJobMail,
  newJobSms,
  unopenedJobSms,
  requestReceipt,
  requestAccepted,
  requestDeclined,
  noLongerNeededMail,
  noLongerNeededSms,
  correctionAskedMail,
  removalAskedMail,
  removalRefusedMail,
  correctionAnsweredMail,
  removalReminder,
  demoRequestMail,
  demoConfirmation,
  testAlertMail,
  testAlertSms,
  announcementToOne,
  weeklyRecord,
];
