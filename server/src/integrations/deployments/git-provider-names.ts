/** Who can tell of deployments by webhook. */
export const GIT_PROVIDER_NAMES = ["github", "gitlab"] as const;
export type GitProviderName = (typeof GIT_PROVIDER_NAMES)[number];
