import { emailChangeConfirm } from './kinds/email-change-confirm.ts';
import { emailChanged } from './kinds/email-changed.ts';
import { passwordChanged } from './kinds/password-changed.ts';
import { passwordReset } from './kinds/password-reset.ts';
import { phoneChangeCode } from './kinds/phone-change-code.ts';
import { phoneChanged } from './kinds/phone-changed.ts';
import type { MessageKind } from './message-kind.ts';

/** Every message the product sends. A row whose kind is not here waits for a process that knows it. */
export const messageKinds: readonly MessageKind[] = [
  passwordReset,
  passwordChanged,
  emailChangeConfirm,
  emailChanged,
  phoneChangeCode,
  phoneChanged,
];
