export const GIT_PROVIDER_NAMES = ["github", "gitlab"] as const;
export type GitProviderName = (typeof GIT_PROVIDER_NAMES)[number];
