/** As much of the browser's Trusted Types as is used here; absent in older browsers, where a text is a text. */
export type TrustedTypes = {
  readonly defaultPolicy: unknown;
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown;
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): UrlPolicy;
};
type UrlPolicy = { createScriptURL(url: string): string };
