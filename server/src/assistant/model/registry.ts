import type { Config } from "../../platform/config.ts";
import { anthropicModel } from "./anthropic.ts";
import type { Model } from "./model.ts";
import { type StreamLimits } from "./model.ts";
import { openAiModel } from "./openai.ts";
import { STREAM_LIMITS } from "./post-stream.ts";

/** Null: not configured. `limits` are shorter in tests. */
export function createModel(
  {
    assistantUrl,
    assistantModel,
    assistantKey,
  }: Pick<Config, "assistantUrl" | "assistantModel" | "assistantKey">,
  limits: StreamLimits = STREAM_LIMITS,
): Model | null {
  if (assistantUrl === null || assistantModel === null) return null;
  const { protocol, url } = endpointOf(assistantUrl);
  const settings = { url, model: assistantModel, key: assistantKey, limits };
  return protocol === "anthropic" ? anthropicModel(settings) : openAiModel(settings);
}

interface Endpoint {
  protocol: "openai" | "anthropic";
  url: string;
}

/**
 * Addresses that end in `/messages`, and Anthropic's own, have the Messages API; all others count as
 * OpenAI-compatible.
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
