import { useState } from 'react';
import { formatPhone, parsePhone, phoneMessage } from '#core/values/contact.ts';
import { PhoneField } from '#site/ui/form/PhoneField.tsx';
import { ContactForm } from './ContactForm.tsx';
import { contactDraft } from './contact-draft.ts';
import { PendingNote } from './PendingNote.tsx';
import { PhoneCode } from './PhoneCode.tsx';
import { PublicSwitch } from './PublicSwitch.tsx';
import { SettingPart } from './SettingPart.tsx';
import { askForPhone, type Contact } from './security-api.ts';

/** The mobile number that alerts go to. A new one counts once the code that is sent there has been given. */
export function PhonePart({ contact }: Readonly<{ contact: Contact }>) {
  const [hasDraft] = useState(() => contactDraft('phone').read() !== null);
  const { phone, pendingPhone } = contact;
  return (
    <SettingPart
      title="Mobile number"
      value={formatPhone(phone)}
      change="Change number"
      startsOpen={hasDraft}
      onCancel={() => contactDraft('phone').remove()}
      below={
        <>
          {pendingPhone && (
            <PendingNote
              what="phone"
              title={`Type in the code we sent to ${formatPhone(pendingPhone.value)}`}
            >
              <PhoneCode />
            </PendingNote>
          )}
          <PublicSwitch name="showPhone" isShown={contact.showPhone} />
        </>
      }
    >
      {(close) => (
        <ContactForm
          what="phone"
          label="Change number"
          button="Send the code"
          problemOf={(text) => phoneProblem(text, phone)}
          ask={askForPhone}
          onDone={close}
          field={<PhoneField label="New mobile number" autoComplete="tel" />}
        />
      )}
    </SettingPart>
  );
}

function phoneProblem(text: string, present: string): string | null {
  const phone = parsePhone(text);
  if (phone === present) return 'This is your number already';
  return phone === null ? phoneMessage : null;
}
