import { createFormHook } from '@tanstack/react-form';
import { PhoneField } from '#site/components/form/PhoneField.tsx';
import { TextAreaField } from '#site/components/form/TextAreaField.tsx';
import { TextField } from '#site/components/form/TextField.tsx';
import { fieldContext, formContext } from './form-context.ts';

/**
 * The one form of the product. Fields that every form may have come with it; the heavier ones (`AddressField`,
 * `ScheduleField`) are put into an `AppField` by the forms that have them.
 */
export const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: { TextField, TextAreaField, PhoneField },
  formComponents: {},
});
