/** What a domain without a name is called: the host of its address, as typed; undefined while there is none. */
export const hostOf = (url: string): string | undefined =>
  url
    .trim()
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/[/?#].*$/s, "") || undefined;
