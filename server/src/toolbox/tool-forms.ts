import type { TSchema } from "typebox";
import { TOOLS } from "./registry.ts";
import type { Tool } from "./tool.ts";

/** What a form of a tool is made from. */
export interface ToolForm {
  /** In addresses. */
  name: string;
  /** The field that comes first. */
  subject: string;
  input: TSchema;
}

/** Every tool, for those who show forms, in the order in which people are shown them. */
export const TOOL_FORMS: readonly ToolForm[] = Object.values<Tool>(TOOLS).map(({ name, subject, input }) => ({
  name,
  subject,
  input,
}));
