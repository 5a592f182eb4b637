/** Whether `/jobs/new` shows the form: unless the visitor came by a tile or a tab, which name the view. */
export function opensForm(search: string): boolean {
  return !new URLSearchParams(search).has('view');
}

/** Marks the document for the styles where the form needs room. */
export function makeRoom(isOpen: boolean): void {
  document.documentElement.toggleAttribute('data-add-job', isOpen);
}
