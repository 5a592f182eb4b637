import { announcementToOne } from './kinds/announcement.ts';
import { businessClosing } from './kinds/business-closing.ts';
import { dataExported } from './kinds/data-exported.ts';
import { demoConfirmation, demoRequestMail } from './kinds/demo-requested.ts';
import { correctionAnsweredMail, removalRefusedMail } from './kinds/details-answered.ts';
import { correctionAskedMail, removalAskedMail } from './kinds/details-asked.ts';
import { emailChangeConfirm, emailChanged } from './kinds/email-change.ts';
import { newJobMail, newJobSms, unopenedJobSms } from './kinds/new-job.ts';
import { noLongerNeededMail, noLongerNeededSms } from './kinds/no-longer-needed.ts';
import { passwordChanged, passwordGuessing, passwordReset } from './kinds/passwords.ts';
import { phoneChanged } from './kinds/phone-changed.ts';
import { removalReminder } from './kinds/removal-reminder.ts';
import { requestAccepted, requestDeclined } from './kinds/request-answered.ts';
import { requestReceipt } from './kinds/request-receipt.ts';
import { phoneChangeCode, smsCode } from './kinds/sms-code.ts';
import { testAlertMail, testAlertSms } from './kinds/test-alert.ts';
import { weeklyRecord } from './kinds/weekly-record.ts';
import { welcome } from './kinds/welcome.ts';
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
