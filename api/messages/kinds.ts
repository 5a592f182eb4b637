import { announcementToOne } from './kinds/announcement.ts';
import { dataExported } from './kinds/data-exported.ts';
import { demoConfirmation, demoRequestMail } from './kinds/demo-requested.ts';
import { correctionAskedMail, removalAskedMail } from './kinds/details-asked.ts';
import { emailChangeConfirm } from './kinds/email-change-confirm.ts';
import { emailChanged } from './kinds/email-changed.ts';
import { newJobMail } from './kinds/new-job-mail.ts';
import { newJobSms } from './kinds/new-job-sms.ts';
import { noLongerNeededMail } from './kinds/no-longer-needed-mail.ts';
import { noLongerNeededSms } from './kinds/no-longer-needed-sms.ts';
import { passwordChanged } from './kinds/password-changed.ts';
import { passwordGuessing } from './kinds/password-guessing.ts';
import { passwordReset } from './kinds/password-reset.ts';
import { phoneChangeCode } from './kinds/phone-change-code.ts';
import { phoneChanged } from './kinds/phone-changed.ts';
import { requestAccepted, requestDeclined } from './kinds/request-answered.ts';
import { requestReceipt } from './kinds/request-receipt.ts';
import { smsCode } from './kinds/sms-code.ts';
import { testAlertMail, testAlertSms } from './kinds/test-alert.ts';
import { unopenedJobSms } from './kinds/unopened-job-sms.ts';
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
  demoRequestMail,
  demoConfirmation,
  testAlertMail,
  testAlertSms,
  announcementToOne,
  weeklyRecord,
];
