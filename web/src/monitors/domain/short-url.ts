/** A URL without what everyone knows: `https://` and a lone slash at the end. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, "").replace(/^((?:http:\/\/)?[^/?#]+)\/$/, "$1");
}
