import { normaliseSlug } from '#core/values/slug.ts';
import type { ThemeColour } from '#core/values/theme-colours.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import type { Profile } from '#site/lib/profile.ts';
import { type BrandingChange, saveBranding } from '#site/lib/profile-settings.ts';
import { toast } from '#site/ui/toast/toast.ts';

/** What is chosen so far. `logo`: a path of ours or a data URL. */
export type BrandChoice = Readonly<{ logo: string | null; theme: ThemeColour; slug: string }>;

/** The toast of a save that failed. */
export const brandingFailure = 'branding';

/** What of the choice is new: a logo that stays is not sent again. */
function brandingChange(choice: BrandChoice, profile: Profile): BrandingChange {
  const slug = normaliseSlug(choice.slug);
  return {
    theme: choice.theme,
    ...(slug !== profile.slug && { slug }),
    ...(choice.logo !== profile.logo && { logo: choice.logo }),
  };
}

/** Saves the branding. Gives what is wrong with the address, '' for any other refusal, null when it is saved. */
export async function saveChoice(choice: BrandChoice, profile: Profile): Promise<string | null> {
  try {
    await saveBranding(brandingChange(choice, profile));
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message = unknownFailure, fields } = error;
    // A domain that is taken goes by this title and names another way; anything else by the server's words.
    if (fields.slug && error.payload.code === 'taken') {
      toast.error(fields.slug, { title: message, id: brandingFailure });
      return `${message} ${fields.slug}`;
    }
    toast.error(Object.values(fields)[0] ?? message, { id: brandingFailure });
    return fields.slug ?? '';
  }
}
