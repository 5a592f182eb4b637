/** Gives the browser a text to save under a name. `type` is its media type. */
export function saveFile({ name, text, type }: Readonly<{ name: string; text: string; type: string }>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
