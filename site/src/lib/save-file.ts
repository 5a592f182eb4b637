/** Gives the browser a text to save under a name. `type` is its media type. */
export function saveFile({ name, text, type }: Readonly<{ name: string; text: string; type: string }>): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  download(url, name);
  URL.revokeObjectURL(url);
}

/** Has the browser download what a link of ours leads to; the page stays. `name`: where the answer gives none. */
export function download(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
