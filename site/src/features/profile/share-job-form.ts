import { toast } from '#site/ui/toast/toast.ts';

const title = 'Share Job Form';

/** Copies the link to the business's public job form and confirms it. */
export async function shareJobForm(slug: string): Promise<void> {
  const link = `${location.origin}/t/${slug}`;
  try {
    await navigator.clipboard.writeText(link);
    toast.success('The link to your job form was copied to clipboard', { title, icon: 'copy' });
  } catch {
    // Without https, or with the permission refused, a page may not write to the clipboard.
    toast.error(`Your browser did not let us copy it. The link is ${link}`, { title });
  }
}
