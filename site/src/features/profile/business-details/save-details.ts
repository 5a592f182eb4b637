import { ApiError } from '#site/lib/http/api.ts';
import { profileQuery } from '#site/lib/http/profile-query.ts';
import type { Profile } from '#site/lib/profile.ts';
import { saveProfile } from '#site/lib/settings-api.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { changeOf, type DetailsForm, fieldsOfRefusal } from './details-form.ts';

/** Saves what was changed and confirms it. Gives the profile as it is now, or what was refused of each field. */
export async function saveDetails(
  form: DetailsForm,
  stored: DetailsForm,
): Promise<Readonly<{ profile: Profile }> | Readonly<{ fields: Record<string, string> }>> {
  try {
    const profile = await saveProfile(changeOf(form, stored));
    profileQuery.update(() => profile);
    toast.success('Business details updated', { title: 'Success', id: 'business-details' });
    return { profile };
  } catch (error) {
    toast.error('Error updating business details', { title: 'Error', id: 'business-details' });
    return { fields: error instanceof ApiError ? fieldsOfRefusal(error.fields) : {} };
  }
}
