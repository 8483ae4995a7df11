import type { NoticeType } from "../rules.ts";

/** The colour beside a message, by how serious it is; RRGGBB. */
export const COLOURS: Readonly<Record<NoticeType, string>> = {
  error: "d92d20",
  warning: "dc6803",
  success: "079455",
  info: "1f5fd6",
};
