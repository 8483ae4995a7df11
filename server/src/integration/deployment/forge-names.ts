/** Who can tell of deployments by webhook. */
export const FORGES = ["github", "gitlab"] as const;
export type ForgeName = (typeof FORGES)[number];
