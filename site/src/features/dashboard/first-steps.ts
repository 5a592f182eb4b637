import { defaultThemeColour } from '#core/values/business.ts';
import type { FirstSteps } from '#site/lib/first-steps.ts';
import type { Profile } from '#site/lib/profile.ts';

/** Which of the three lines are done. */
export type DoneSteps = Readonly<{ form: boolean; share: boolean; look: boolean }>;

/** What the profile and this browser hold together. A logo or a colour of its own is a look, on whatever device it was chosen. */
export function firstSteps(
  { slug, logo, theme }: Pick<Profile, 'slug' | 'logo' | 'theme'>,
  { isShared, hasLook }: FirstSteps,
): DoneSteps {
  return {
    form: slug !== null,
    share: isShared,
    look: hasLook || logo !== null || theme !== defaultThemeColour,
  };
}
