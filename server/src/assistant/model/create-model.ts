import type { Config } from "../../config.ts";
import { anthropicModel } from "./anthropic.ts";
import { endpointOf } from "./endpoint.ts";
import type { Model } from "./model.ts";
import { openAiModel } from "./openai.ts";
import { STREAM_LIMITS, type StreamLimits } from "./post-stream.ts";

/** The model that the operator has chosen; null: none. `limits` are shorter in tests. */
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
