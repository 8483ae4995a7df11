import { Type } from "typebox";
import { verb } from "../verb/verb.ts";
import { AssistantSettings } from "../wire/assistant.ts";

/** Whether questions are answered here, and by whom. */
export const getAssistant = verb({
  resource: "chat",
  feature: "full",
  action: "read",
  input: Type.Object({}),
  output: AssistantSettings,
  async run({ config }) {
    const { assistantUrl: url, assistantModel: model } = config;
    return { isConfigured: url !== null, model, host: url === null ? null : new URL(url).host };
  },
});
