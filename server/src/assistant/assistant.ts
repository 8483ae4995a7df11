import type { Assistant, Context } from "../context.ts";
import { followCalls } from "./cancellations.ts";
import { createModel } from "./model/create-model.ts";

/** Puts one together, with the tools that its server offers. */
export const createAssistant = (
  ctx: Pick<Context, "config" | "store" | "clock" | "live">,
  listTools: Assistant["listTools"],
): Assistant => ({ model: createModel(ctx.config), listTools, answers: followCalls(ctx) });
