export interface Endpoint {
  protocol: "openai" | "anthropic";
  /** What is posted to. */
  url: string;
}

/**
 * Which protocol an address speaks, and what is posted to: an address that ends in `/messages`, or is Anthropic's own, has the
 * Messages API; any other is taken for one that is compatible with OpenAI's chat completions.
 */
export function endpointOf(address: string): Endpoint {
  const { hostname, pathname } = new URL(address);
  const url = address.replace(/\/+$/, "");
  if (pathname.endsWith("/messages")) return { protocol: "anthropic", url };
  if (pathname.endsWith("/chat/completions")) return { protocol: "openai", url };
  if (hostname === "anthropic.com" || hostname.endsWith(".anthropic.com")) {
    return { protocol: "anthropic", url: `${url}${pathname.endsWith("/v1") ? "" : "/v1"}/messages` };
  }
  return { protocol: "openai", url: `${url}/chat/completions` };
}
