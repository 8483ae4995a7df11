import type { Provider } from "../../../api/integrations.ts";

interface CredentialField {
  name: "tenantId" | "clientId" | "clientSecret" | "subscriptionId" | "url" | "apiKey";
  isSecret?: true;
}

/** What people give to link an account, in the order of the form. Empty: they agree over there. */
export const credentialFields: Record<Provider, readonly CredentialField[]> = {
  azure: [
    { name: "tenantId" },
    { name: "clientId" },
    { name: "clientSecret", isSecret: true },
    { name: "subscriptionId" },
  ],
  coolify: [{ name: "url" }, { name: "apiKey", isSecret: true }],
  vercel: [],
};
