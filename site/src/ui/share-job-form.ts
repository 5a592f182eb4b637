import { copyText, shareSheet } from '#site/lib/secure/sharing.ts';
import { toast } from '#site/ui/toast/toast.ts';

const title = 'Share Job Form';

/**
 * Hands out the link to the business's public job form: by the device's share sheet, or copied where there is none.
 * Gives whether it went out; a sheet that was closed again hands out nothing.
 */
export async function shareJobForm(
  slug: string,
  shown: Pick<typeof toast, 'success' | 'error'> = toast,
): Promise<boolean> {
  const link = `${location.origin}/t/${slug}`;
  const share = shareSheet();
  if (share) {
    try {
      await share({ url: link });
      return true;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return false;
      // A sheet that cannot open is no reason to go without the link.
    }
  }
  const isCopied = await copyText(link);
  if (isCopied) shown.success('The link to your job form was copied to clipboard', { title, icon: 'copy' });
  else shown.error(`Your browser did not let us copy it. The link is ${link}`, { title });
  return isCopied;
}
