import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { AddressField, isSlugReady } from '#site/ui/branding/AddressField.tsx';
import { type BrandChoice, brandingFailure } from '#site/ui/branding/branding.ts';
import { ColourField } from '#site/ui/branding/ColourField.tsx';
import { createSlugCheck } from '#site/ui/branding/slug-check.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { SetupForm } from './SetupForm.tsx';

type Props = Readonly<{
  choice: BrandChoice;
  /** The address that the business has. */
  ownSlug: string | null;
  isGoneTo: boolean;
  onChange(changed: Partial<BrandChoice>): void;
  onBack: (() => void) | undefined;
  /** Saves; gives what is wrong with the address, '' for another refusal, null when it is saved. */
  onNext(): Promise<string | null>;
}>;

/** 'Customise appearance': the colour of the public page and its address. */
export function ThemeStep({ choice, ownSlug, isGoneTo, onChange, onBack, onNext }: Props) {
  const [check] = useState(() => createSlugCheck(ownSlug));
  const state = useStore(check.$state);
  const [refused, setRefused] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);

  async function save(): Promise<void> {
    setRefused(null);
    setIsSaving(true);
    const outcome = await onNext().catch(() => '');
    // Saved: the page is on its way, and its button stays as it is.
    if (outcome === null) return;
    setIsSaving(false);
    setRefused(outcome);
  }

  return (
    <SetupForm
      name="Appearance"
      title="Customise appearance"
      lede="How your page looks, and where customers find it."
      isGoneTo={isGoneTo}
      isNextOff={!isSlugReady(choice.slug, state)}
      isBusy={isSaving}
      onBack={onBack}
      onNext={() => void save()}
    >
      <ColourField label="Theme colour" chosen={choice.theme} onChoose={(theme) => onChange({ theme })} />
      <AddressField
        text={choice.slug}
        own={ownSlug}
        check={check}
        refused={refused}
        onChange={(slug) => {
          if (slug !== choice.slug) setRefused(null);
          toast.dismiss(brandingFailure);
          onChange({ slug });
        }}
      />
    </SetupForm>
  );
}
